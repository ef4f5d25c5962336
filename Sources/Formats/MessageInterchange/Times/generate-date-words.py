#!/usr/bin/env python3
"""Writes date-words.txt from CLDR, as contained in Babel, and the locales of the GNU C Library.

    pip install babel==2.19.0
    ./generate-date-words.py /usr/share/i18n/locales >date-words.txt

CLDR's words are those of phones, browsers and Java; the C Library's are those of `strftime` in logs. A month or
weekday is in the table with the languages that call it so; narrow names, of one letter, are left out.
"""
import collections
import glob
import itertools
import os
import re
import sys
import unicodedata

import babel
import babel.core
from babel.localedata import locale_identifiers

# Those that many people write first: of two meanings of a word that nothing else tells apart, the first counts.
LARGE = """en es pt fr de it nl pl ru uk tr ja zh ko ar fa he hi bn ur id ms vi th sv da nb nn no fi hu cs sk ro bg el
hr sr bs sl et lv lt ca eu gl is ga cy sq mk be ka hy az kk uz ky tg mn ta te kn ml mr gu pa ne si my km lo sw am af
fil jv yue eo la oc br lb fo ast szl csb hsb dsb""".split()

# Words beside a date or a time, in addition to those of CLDR's patterns.
BESIDE = """à um at klo kl às om в г ч uhr h o u ob la le as alle pukul lúc tại годз у godz та في ساعت va e і kello
den of on the de del las jam στις kello ore ora ár óra óta года року р о год am noon""".split()

# Months as earlier versions of CLDR and older programs shorten them.
FORMER_MONTHS = {
    "fi": "tammik helmik maalisk huhtik toukok kesäk heinäk elok syysk lokak marrask jouluk",
    "be": "студз лют сак крас тра чэр ліп жні вер кас лістап снеж",
    "el": "ιαν φεβ μαρ απρ μαι ιουν ιουλ αυγ σεπ οκτ νοε δεκ",
    "fr": "jan fév mar avr mai juin juil aou sep oct nov déc",
    "de": "jän feb mrz apr mai jun jul aug sep okt nov dez",
}

# Halves of the day of earlier versions of CLDR that phones still write.
FORMER = [
    ("a", "p"), ("пр.об.", "сл.об."), ("לפנה״צ", "אחה״צ"), ("ق.ظ.", "ب.ظ."), ("ก่อนเที่ยง", "หลังเที่ยง"), ("म.पू.", "म.उ."),
    ("ਪੂ.ਦੁ.", "ਬਾ.ਦੁ."), ("قبل دوپہر", "بعد دوپہر"), ("e.k.", "p.k."), ("ព្រឹក", "ល្ងាច"), ("முற்பகல்", "பிற்பகல்"),
    ("ԿԱ", "ԿՀ"), ("a.d.", "p.d."), ("לפ", "אח"), ("पू", "अ"), ("isuk", "wengi"), ("পূর্বাহ্ণ", "অপরাহ্ণ"), ("таңертеңгі", "түстен кейін"), ("чт", "чк"), ("पूर्व", "अपर"),
]

MORNING, AFTERNOON = 0x000FFF, 0xFFF000


def key(word):
    """Letters and their marks in lowercase: `févr.` and `a. m.` are `févr` and `am`."""
    return "".join(
        c for c in word.lower() if unicodedata.category(c)[0] == "L" or unicodedata.category(c) in ("Mn", "Mc"))


class Words:
    def __init__(self):
        self.named = collections.defaultdict(lambda: collections.defaultdict(set))  # word -> (kind, value) -> languages
        self.halves = collections.defaultdict(dict)  # word -> language -> hours, of the halves of the day
        self.finer = collections.defaultdict(dict)  # the same of finer parts
        self.beside = collections.defaultdict(set)

    def add(self, kind, value, word, language):
        found = key(word)
        # A letter or two of the Latin alphabet mean too much.
        if not found or found.isascii() and len(found) < (2 if language in LARGE else 3):
            return
        self.named[found][kind, value].add(language)


def add_locale(words, identifier):
    locale = babel.Locale.parse(identifier)
    language = "nb" if locale.language == "no" else locale.language
    patterns = [str(p) for formats in (locale.date_formats, locale.time_formats, locale.datetime_formats)
                for p in formats.values()]
    patterns += [str(p) for name, p in locale.datetime_skeletons.items() if not set(name) & set("wWQ")]
    months, numbered = collections.defaultdict(set), set()
    for names in locale.months.values():
        for width in ("wide", "abbreviated"):
            for month, name in names.get(width, {}).items():
                bare = re.sub(r"\d+", "", name)
                if bare != name:
                    numbered.add(key(bare))
                else:
                    months[month].add(name)
    for month, names in months.items():
        for name in names:
            words.add("m", month, name, language)
    for pattern in patterns:  # `בMMMM`: a preposition is one word with the month
        for before in re.findall(r"'?(\w+)'?MMMM?(?!M)", re.sub(r"[yYdELGkKhHmsSaBzZvVOQqcr]", " ", pattern)):
            for month, names in months.items():
                for name in names:
                    if key(before) and key(before) != "m" and not key(before).isascii():
                        words.add("m", month, before + name, language)
    for pattern in patterns:  # `MMMM'ren'`: so is an ending
        for behind in re.findall(r"(?<!M)MMMM?(?!M)('(?:[^']|'')+'|[^\x00-\x7f]+)", pattern):
            ending = "".join(itertools.takewhile(key, behind.strip("'")))
            for month, names in months.items():
                for name in names:
                    if ending:
                        words.add("m", month, name + ending, language)
    for name in numbered - {"m", ""}:
        words.add("n", 0, name, language)
    for names in locale.days.values():
        for width in ("wide", "abbreviated", "short"):
            for day, name in names.get(width, {}).items():
                if not any(c.isdigit() for c in name):
                    words.add("d", (day + 1) % 7, name, language)
    for pattern in patterns:
        bare = re.sub(r"[A-Za-z]", " ", re.sub(r"'(?:[^']|'')*'", " ", pattern))
        for literal in re.findall(r"'((?:[^']|'')+)'", pattern) + [bare]:
            for word in "".join(c if key(c) else " " for c in literal).split():
                words.beside[key(word)].add(language)
    add_halves(words, locale, language)


def add_halves(words, locale, language):
    for width in ("wide", "abbreviated"):
        for period, name in locale.day_periods["format"].get(width, {}).items():
            half = {"am": MORNING, "pm": AFTERNOON}.get(period)
            found, hours = (words.finer, hours_of(period, locale)) if half is None else (words.halves, half)
            if key(name) and hours:
                said = found[key(name)]
                said[language] = said.get(language, 0) | hours


def hours_of(period, locale):
    """The hours of a finer part of the day, a bit each."""
    hours = 0
    for rule in (locale.day_period_rules.get(None) or {}).get(period, []):
        if "at" in rule:
            hours |= 1 << rule["at"] // 3600 % 24
        else:
            start, end = rule["from"] // 3600, rule["before"] // 3600
            for hour in range(start, end if end > start else end + 24):
                hours |= 1 << hour % 24
    return hours


def add_libc_locale(words, path):
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    language = os.path.basename(path).split("_")[0]
    language = "nb" if language == "no" else language
    text = re.sub(r"(?m)^%.*\n", "", text)
    time = re.search(r"(?ms)^LC_TIME\n(.*?)^END LC_TIME", text)
    if not time or not re.fullmatch(r"[a-z]{2,3}", language):
        return
    for field, kind, first in (("abday", "d", 0), ("day", "d", 0), ("abmon", "m", 1), ("mon", "m", 1),
                               ("alt_mon", "m", 1), ("ab_alt_mon", "m", 1)):
        found = re.search(r"(?m)^%s\s+((?:[^\n]*/\n)*[^\n]*)" % field, time.group(1))
        names = re.findall(r'"([^"]*)"', found.group(1)) if found else []
        if len(names) != (7 if kind == "d" else 12):
            continue
        for index, name in enumerate(names):
            name = re.sub(r"<U([0-9A-Fa-f]+)>", lambda m: chr(int(m.group(1), 16)), name)
            if not any(c.isdigit() for c in name):
                words.add(kind, index + first, name, language)


def agreed(said, rank):
    """The hours of a word, without those of languages that mean the other half by a larger one's word."""
    hours = 0
    for language in sorted(said, key=lambda code: rank.get(code, len(rank))):
        both = hours | said[language]
        hours = hours if both & both >> 12 else both
    return hours


def write(words):
    for word in BESIDE:
        words.beside[key(word)].add("en")
    beside = {w for w, languages in words.beside.items() if w and (languages & set(LARGE))}
    codes = {code for senses in words.named.values() for languages in senses.values() for code in languages}
    order = LARGE + sorted(codes - set(LARGE))
    rank = {code: place for place, code in enumerate(order)}
    for word in beside & set(words.named):  # `de` is a preposition, not a small language's December
        for sense in list(words.named[word]):
            words.named[word][sense] &= set(LARGE)
            if not words.named[word][sense]:
                del words.named[word][sense]
    halves = {word: hours for found in (words.finer, words.halves) for word, said in found.items()
              for hours in [agreed(said, rank)]}
    for morning, afternoon in FORMER:
        halves[key(morning)], halves[key(afternoon)] = MORNING, AFTERNOON
    sets = sorted({tuple(sorted(languages, key=rank.get)) for senses in words.named.values()
                   for languages in senses.values()}, key=lambda s: [rank[c] for c in s])
    number = {languages: place for place, languages in enumerate(sets)}
    print("# Words of dates and times in all languages of CLDR %s, as contained in Babel %s (Unicode License,"
          % (babel.core.get_global("cldr")["version"], babel.__version__))
    print("# unicode.org/license.txt), and of the locales of the GNU C Library 2.36, in which the FSF claims no copyright.")
    print("# Written by generate-date-words.py, which says more. First the languages, those that more people write before")
    print("# others; then sets of languages, counted from 0; then the words in the order of their bytes, each with its")
    print("# meanings: m1 to m12 a month, d0 (Sunday) to d6 a weekday, n a month by the number beside it, each with the number")
    print("# of its set; h the hours 0 to 23 of a part of the day, hexadecimal, a bit each; x a word without a meaning.")
    print(" ".join(order))
    print()
    for languages in sets:
        print(" ".join(languages))
    print()
    for word in sorted(set(words.named) | set(halves) | beside, key=lambda w: w.encode()):
        senses = []
        for (kind, value), languages in sorted(words.named.get(word, {}).items()):
            place = number[tuple(sorted(languages, key=rank.get))]
            senses.append("%s%s %d" % (kind, value if kind != "n" else "", place))
        if word in halves:
            senses.append("h %x" % halves[word])
        if word in beside:
            senses.append("x")
        if senses:
            print("\t".join([word] + senses))


def main():
    words = Words()
    for identifier in sorted(locale_identifiers()):
        add_locale(words, identifier)
    for path in sorted(glob.glob(os.path.join(sys.argv[1], "*"))):
        add_libc_locale(words, path)
    for language, names in FORMER_MONTHS.items():
        for place, name in enumerate(names.split()):
            words.add("m", place + 1, name, language)
    write(words)


main()
