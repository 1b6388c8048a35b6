# SPDX-License-Identifier: MIT
# Installation and the CMake package.
