#!/usr/bin/env python3
"""Writes WidthTable.swift from the Unicode Character Database.

Usage: generate-width-table.py [FOLDER] > WidthTable.swift

FOLDER holds EastAsianWidth.txt, UnicodeData.txt, DerivedCoreProperties.txt and emoji/emoji-data.txt as Debian's
package unicode-data installs them (the default: /usr/share/unicode). Run it again when Unicode moves on.
"""

import pathlib
import re
import sys

FOLDER = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode")
LAST = 0x10FFFF


def properties(path):
    """Yields (code points, value) of each line of a file of the database."""
    for line in (FOLDER / path).read_text(encoding="utf-8").splitlines():
        fields = [field.strip() for field in line.split("#")[0].split(";")]
        if len(fields) < 2:
            continue
        first, _, last = fields[0].partition("..")
        yield range(int(first, 16), int(last or first, 16) + 1), fields[1]


def having(path, *values):
    return {point for points, value in properties(path) if value in values for point in points}


def categories():
    found, start = {}, None
    for line in (FOLDER / "UnicodeData.txt").read_text(encoding="utf-8").splitlines():
        fields = line.split(";")
        point = int(fields[0], 16)
        if fields[1].endswith("First>"):
            start = point
        for each in range(start if fields[1].endswith("Last>") else point, point + 1):
            found[each] = fields[2]
    return found


def ranges(points):
    points, result = sorted(points), []
    for point in points:
        if result and result[-1][1] == point - 1:
            result[-1][1] = point
        else:
            result.append([point, point])
    return result


def table(name, comment, points):
    pairs = [f"0x{first:X}, 0x{last:X}," for first, last in ranges(points)]
    lines = [f"  /// {comment}", f"  static let {name}: [UInt32] = ["]
    line = "   "
    for pair in pairs:
        if len(line) + len(pair) + 1 > 106:
            lines.append(line)
            line = "   "
        line += " " + pair
    return "\n".join(lines + [line, "  ]"])


category = categories()
wide = having("EastAsianWidth.txt", "W", "F")
emoji = having("emoji/emoji-data.txt", "Emoji")
pictographs = having("emoji/emoji-data.txt", "Extended_Pictographic")
# Places kept for pictographs to come in this block have so far only been taken by wide emoji.
wide |= {point for point in pictographs & set(range(0x1FA70, 0x1FB00)) if point not in category}

zero = {point for point, value in category.items() if value in ("Mn", "Me", "Cf")}
zero |= having("DerivedCoreProperties.txt", "Default_Ignorable_Code_Point")
zero |= set(range(0x1160, 0x1200)) | set(range(0xD7B0, 0xD800))  # vowels and finals join a Hangul syllable
zero -= {0xAD} | set(range(0x600, 0x606)) | {0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}  # drawn
zero -= {0x115F, 0x3164, 0xFFA0}  # fillers take the room of what they stand for
wide -= zero

version = re.search(r"EastAsianWidth-([\d.]+)\.txt", (FOLDER / "EastAsianWidth.txt").read_text(encoding="utf-8"))
print(f"""// Made by generate-width-table.py from Unicode {version.group(1)}. Do not edit.
// swift-format-ignore-file

/// How many columns of a terminal code points take, as sorted pairs of first and last code point. Those that are in
/// no table take one.
enum WidthTable {{""")
print(table("wide", "Takes two columns (UAX 11: wide and full width).", wide))
print()
print(table("zero", "Takes none: marks, format characters, vowels and finals of Hangul.", zero))
print()
print(table("emoji", "Takes two columns when U+FE0F asks for a picture.", emoji - wide))
print("}")
