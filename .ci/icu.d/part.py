"""Writes the part of ICU's data that belongs to no language, or to English.

part.py ALL PART. The form is that of ICU's common data files (unicode-org/icu, udatamem and ucmndata.h): a header, then a table
of the offsets of each item's name and bytes, counted from the table, in the order of names.
"""

import re
import struct
import sys

LANGUAGE = re.compile(r"[a-z]{2,3}(_\w+)?")
# Names of languages and regions, numbers in words.
NAMES = {"lang", "region", "rbnf", "translit"}
# Names of characters, characters that look alike, a normal form for ICU's own searches.
UNUSED = {"unames.icu", "confusables.cfu", "nfkc_scf.nrm"}
KEPT = {"root", "pool", "res_index", "en", "en_001", "en_US", "en_US_POSIX"}


def items(data):
    """Returns the header, and name and bytes of each item."""
    (table,) = struct.unpack_from("<H", data)
    if data[2:4] != b"\xda\x27" or data[12:16] != b"CmnD":
        sys.exit("part.py: no data of ICU in a form that is known")
    (count,) = struct.unpack_from("<I", data, table)
    offsets = [struct.unpack_from("<II", data, table + 4 + 8 * at) for at in range(count)]
    starts = [table + start for _, start in offsets]
    names = [data[table + name : data.index(b"\0", table + name)] for name, _ in offsets]
    return data[:table], [(name, data[a:b]) for name, a, b in zip(names, starts, starts[1:] + [len(data)])]


def is_kept(name):
    folders = name.decode().split("/")[1:]
    stem, kind = folders[-1].rsplit(".", 1)
    if kind in ("cnv", "dict", "spp") or folders[0] in NAMES or folders[-1] in UNUSED:
        return False
    if kind == "brk":
        return "_" not in stem
    if kind != "res" or stem in KEPT:
        return True
    return len(folders) == 1 and not LANGUAGE.fullmatch(stem)


def joined(header, kept):
    names, bodies, table = b"", b"", b""
    first_name = 4 + 8 * len(kept)
    first_body = first_name + sum(len(name) + 1 for name, _ in kept)
    for name, body in kept:
        bodies += b"\0" * (-(len(header) + first_body + len(bodies)) % 16)
        table += struct.pack("<II", first_name + len(names), first_body + len(bodies))
        names += name + b"\0"
        bodies += body
    return header + struct.pack("<I", len(kept)) + table + names + bodies


with open(sys.argv[1], "rb") as file:
    header, all_items = items(file.read())
with open(sys.argv[2], "wb") as file:
    file.write(joined(header, [item for item in all_items if is_kept(item[0])]))
