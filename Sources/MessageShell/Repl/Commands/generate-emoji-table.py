#!/usr/bin/env python3
"""Writes EmojiTable.swift from the names of Unicode's CLDR and those that chat programs use.

Usage: generate-emoji-table.py > EmojiTable.swift

Needs the package `emoji` of PyPI, which carries both. Run it again when Unicode moves on.
"""

import emoji

SKINS = {chr(point) for point in range(0x1F3FB, 0x1F400)}
FULLY_QUALIFIED = emoji.STATUS["fully_qualified"]

names = {}
for picture, facts in emoji.EMOJI_DATA.items():
    if facts["status"] > FULLY_QUALIFIED or any(mark in SKINS for mark in picture):
        continue
    for name in facts.get("alias", []) + [facts["en"]]:
        name = name.strip(":").lower().replace("’", "'")
        if name.isascii() and " " not in name and "\\" not in name and '"' not in name:
            names.setdefault(name, picture)

print(f"""// Made by generate-emoji-table.py from the package emoji {emoji.__version__}. Do not edit.
// swift-format-ignore-file

/// The names of emoji with what they name, a line each, in the order of their bytes.
enum EmojiTable {{
  static let lines = \"\"\"""")
for name in sorted(names, key=lambda name: name.encode()):
    print(f"    {name} {names[name]}")
print('    """\n}')
