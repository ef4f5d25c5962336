#!/usr/bin/env python3
"""Writes emoji.txt, a name and its emoji a line, in the order of their bytes, from the names of Unicode's CLDR and those that chat programs use.

Usage: generate-emoji.py > emoji.txt

Needs the package `emoji` of PyPI, which carries both; it was 2.16.0. Run it again when Unicode moves on.
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

for name in sorted(names, key=lambda name: name.encode()):
    print(name, names[name])
