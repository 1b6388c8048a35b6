#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No file and no function is too long: SIZE_LIMITS and FUNCTION_LIMIT of project.py."""

import ast
import re

from project import (CPP_SUFFIXES, FUNCTION_LIMIT, SIZE_LIMITS, files, run, text_of, without_comments_and_strings,
                     without_preprocessor)

ACCESS_LABELS = re.compile(r"\s*((public|private|protected)\s*:\s*)*")
NOT_A_FUNCTION = re.compile(r"^\s*(namespace|class|struct|union|enum|extern|if|for|while|switch|do|else|try|catch)\b")


def is_function(head):
    """Whether the text between the last ; { or } and an opening brace declares a function."""
    head = re.sub(r"\[\[.*?\]\]|\balignas\s*\([^)]*\)|\b__attribute__\s*\(\(.*?\)\)", " ", head, flags=re.S)
    head = head[ACCESS_LABELS.match(head).end() :]
    head = re.sub(r"^\s*template\s*<.*>(?=\s*(class|struct|union)\b)", "", head, flags=re.S)
    return "(" in head and not NOT_A_FUNCTION.match(head) and not re.search(r"(?<![=<>!+\-*/&|^])=(?!=)\s*$", head)


def is_member_initializer(head):
    """Whether the brace belongs to the list of initializers of a constructor, as in `A(int a) : b_{a} {`."""
    return re.search(r"\)[\w\s]*(?<!:):(?!:).*[\w>]\s*$", head, flags=re.S) is not None and "?" not in head


def cpp_functions(text):
    """(name, first line, number of lines) of every function that is not inside another one."""
    code = without_preprocessor(without_comments_and_strings(text))
    depth, start, initializer, head_from = 0, None, None, 0
    for token in re.finditer(r"[{};]", code):
        if token.group() == "{":
            head = code[head_from : token.start()]
            if start is None and initializer is None and is_function(head):
                if is_member_initializer(head):
                    initializer = depth
                else:
                    start = (depth, head_from + ACCESS_LABELS.match(head).end(), head)
            depth += 1
        elif token.group() == "}":
            depth -= 1
            if start is not None and depth == start[0]:
                first = code.count("\n", 0, start[1]) + 1
                name = re.search(r"([\w:~]+|operator\s*\S+)\s*\(", start[2])
                yield name.group(1) if name else "lambda", first, code.count("\n", 0, token.start()) + 2 - first
                start = None
        if start is None and initializer is None:
            head_from = token.end()
        if token.group() == "}" and depth == initializer:
            initializer = None


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno, node.end_lineno - node.lineno + 1


def check(root):
    for path in files(root):
        if path.suffix not in CPP_SUFFIXES | {".py"}:
            continue
        text = text_of(root, path)
        lines, limit = text.count("\n"), SIZE_LIMITS.get(path.parts[0], 600)
        if lines > limit:
            yield f"{path}:1: {lines} lines: the limit is {limit}"
        for name, first, length in (python_functions if path.suffix == ".py" else cpp_functions)(text):
            if length > FUNCTION_LIMIT:
                yield f"{path}:{first}: {name} has {length} lines: the limit is {FUNCTION_LIMIT}"


if __name__ == "__main__":
    run(__doc__, check)
