#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lists the names that the public headers declare, by module: types, concepts, functions, variables, macros.

Members of classes, namespaces whose names end in detail, macros MYLOS_DETAIL_* and include/mylos/<module>/detail/ are
left out. A name in a namespace below mylos is printed with it, as in log::warning."""

import argparse
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "checks"))
from project import public_headers, text_of, without_comments_and_strings, without_preprocessor  # noqa: E402

MARKS = r"\bdecltype\s*\([^()]*\)|\[\[.*?\]\]|\balignas\s*\([^)]*\)|\b__attribute__\s*\(\(.*?\)\)|\b[A-Z][A-Z0-9_]+_(EXPORT|FUNCTION)\b"
NAMESPACE = re.compile(r"\s*(inline\s+)?namespace\b([\w\s:]*)$")


def closing(text, start, pair):
    """The position after the bracket that closes the one at `start`."""
    depth = 0
    for i in range(start, len(text)):
        arrow = text[i] == ">" and text[i - 1] in "-="
        depth += (text[i] == pair[0]) - (text[i] == pair[1] and not arrow)
        if depth == 0:
            return i + 1
    return len(text)


def without_template_head(declaration):
    """Drops template<...> and the requires-clause on lines of its own behind it."""
    while (found := re.match(r"\s*template\s*<", declaration)) is not None:
        declaration = declaration[closing(declaration, found.end() - 1, "<>") :]
        while (clause := re.match(r"\s*requires\b", declaration)) is not None:
            rest = declaration[clause.end() :]
            parenthesised = re.match(r"\s*\(", rest)
            end = closing(rest, parenthesised.end() - 1, "()") if parenthesised else (rest + "\n").index("\n", 1)
            declaration = rest[end:]
    return declaration


def declared_name(declaration):
    """The name that a declaration at namespace scope introduces; None when it introduces none of its own."""
    text = without_template_head(re.sub(MARKS, " ", declaration, flags=re.S)).strip()
    if not text or re.match(r"(static_assert|using\s+namespace|friend|extern\s*\"|namespace|})", text):
        return None
    if found := re.match(r"(?:using|concept)\s+(\w+)\s*=", text):
        return found.group(1)
    if found := re.match(r"(?:enum(?:\s+(?:class|struct))?|class|struct|union)\s+(\w+)\s*(?:$|[<:{]|final\b)", text):
        return found.group(1)
    text = re.split(r"(?<![=<>!])=(?!=)", text)[0]
    while (angle := text.find("<")) >= 0 and not text.startswith("<=", angle):
        text = text[:angle] + text[closing(text, angle, "<>") :]
    parameters = text.find("(")
    if parameters < 0:
        found = re.search(r"(?<![\w:])(\w+)\s*(?:\[.*)?$", text, flags=re.S)
    else:
        found = re.search(r"(?<![\w:])(\w+)\s*$", text[:parameters])
    return found.group(1) if found and found.group(1) not in ("operator", "using") else None


def scan(code, spaces=()):
    """(namespaces, name) of every declaration at namespace scope in `code`."""
    start = i = 0
    while i < len(code):
        if code[i] == ";":
            yield spaces, declared_name(code[start:i])
            start = i + 1
        elif code[i] == "(":
            i = closing(code, i, "()")
            continue
        elif code[i] == "{":
            head, end = code[start:i], closing(code, i, "{}")
            found = NAMESPACE.match(head)
            if found:
                parts = [] if found.group(1) else [part.strip() for part in found.group(2).split("::")]
                inner = tuple(part for part in parts if not part.startswith("inline "))
                yield from scan(code[i + 1 : end - 1], spaces + inner)
            elif re.search(r"extern\s*\"", head):
                yield from scan(code[i + 1 : end - 1], spaces)
            else:
                yield spaces, declared_name(head)
            start = i = end + len(code[end:]) - len(code[end:].lstrip().removeprefix(";").lstrip())
            continue
        i += 1


def names_in(text):
    """Every public name of one header's text."""
    text = without_comments_and_strings(text)
    names = set(re.findall(r"^[ \t]*#\s*define\s+(MYLOS_(?!DETAIL_)\w+)", text, flags=re.M))
    for spaces, name in scan(without_preprocessor(text)):
        if name and spaces[:1] == ("mylos",) and not any(space.endswith("detail") for space in spaces):
            names.add("::".join([*spaces[1:], name]))
    return names


def public_names(root):
    """{module: sorted names}."""
    return {
        module: sorted({name for header in headers
                        for name in names_in(text_of(root, Path("include/mylos", module, header)))})
        for module, headers in public_headers(root).items()
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", help="only these modules; all when left out")
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1], help="the tree to read")
    arguments = parser.parse_args()
    for module, names in public_names(arguments.root.resolve()).items():
        if not arguments.modules or module in arguments.modules:
            print(f"{module}: {' '.join(names)}")


if __name__ == "__main__":
    main()
