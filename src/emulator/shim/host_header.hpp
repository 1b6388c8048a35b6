// SPDX-License-Identifier: MIT
// Stands behind headers that no kernel can use, so that the machine's own are not found: see host_headers.hpp.
#error "mylos: no header of a kernel"
