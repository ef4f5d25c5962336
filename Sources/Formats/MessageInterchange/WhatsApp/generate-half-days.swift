// Writes half-days.txt from CLDR's words for parts of the day, as contained in Foundation's ICU:
//
//     cd /tmp && swiftc .../generate-half-days.swift -o generate && ./generate >.../half-days.txt
//
// A line has a word, lowercase without spaces and marks, and the hours 0–23 at which its languages use it, as
// a hexadecimal bit set. `a` are the halves of a day (a.m., p.m.), `B` finer parts (in the evening), which
// some languages use on clocks.
import Foundation

/// Languages left out because a larger one uses their words for another half of the day.
let unheard: Set<String> = ["smn"]

/// Words of earlier versions of CLDR that phones still write.
let former: [(morning: String, afternoon: String)] = [
  ("a", "p"), ("пр.об.", "сл.об."), ("לפנה״צ", "אחה״צ"), ("ق.ظ.", "ب.ظ."), ("ก่อนเที่ยง", "หลังเที่ยง"),
  ("म.पू.", "म.उ."),
  ("ਪੂ.ਦੁ.", "ਬਾ.ਦੁ."), ("قبل دوپہر", "بعد دوپہر"), ("e.k.", "p.k."), ("ព្រឹក", "ល្ងាច"), ("முற்பகல்", "பிற்பகல்"),
  ("ԿԱ", "ԿՀ"),
  ("a.d.", "p.d."), ("পূর্বাহ্ণ", "অপরাহ্ণ"), ("таңертеңгі", "түстен кейін"), ("чт", "чк"), ("पूर्व", "अपर"),
]

func normalized(_ word: String) -> String {
  String(
    String.UnicodeScalarView(
      word.lowercased().unicodeScalars.filter {
        $0.properties.isAlphabetic || [.nonspacingMark, .spacingMark].contains($0.properties.generalCategory)
      }))
}

var words: [[String: UInt32]] = [[:], [:]]
for identifier in Locale.availableIdentifiers.sorted()
where !unheard.contains(String(identifier.prefix { $0 != "_" })) {
  for (rank, pattern) in [(0, "a"), (0, "aaaa"), (1, "B"), (1, "BBBB")] {
    let format = DateFormatter()
    format.locale = Locale(identifier: identifier)
    format.timeZone = TimeZone(secondsFromGMT: 0)
    format.dateFormat = pattern
    for hour in 0..<24 {
      let word = normalized(format.string(from: Date(timeIntervalSince1970: Double(hour) * 3_600 + 1_800)))
      if !word.isEmpty { words[rank][word, default: 0] |= 1 << hour }
    }
  }
}
for pair in former {
  words[0][normalized(pair.morning), default: 0] |= 0x000FFF
  words[0][normalized(pair.afternoon), default: 0] |= 0xFFF000
}
let all = words[1].merging(words[0]) { $1 }
for (word, hours) in all.sorted(by: { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }) {
  print("\(word) \(String(hours, radix: 16))")
}
