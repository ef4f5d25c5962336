/// Short month names in logs: English ones, and `%b` of `strftime` in other languages.
enum MonthNames {
  /// 1 to 12 for an English name's first three letters, in any case.
  static func number(of letters: some Collection<UInt8>) -> Int? {
    guard letters.count >= 3 else { return nil }
    var key: UInt32 = 0
    for letter in letters.prefix(3) { key = key << 8 | UInt32(letter | 0x20) }
    return keys.firstIndex(of: key).map { $0 + 1 }
  }

  /// `byteCount` includes a full stop after the name.
  static func month(at start: Int, in line: Bytes) -> (month: Int, byteCount: Int)? {
    guard start + 3 <= line.count else { return nil }
    if let month = number(of: line[start..<start + 3]), !isLetter(line, start + 3) { return (month, 3) }
    var rest = line.dropping(start)
    rest = rest.withoutLeadingSpaces
    for (name, month) in translated where rest.count > name.count && rest.starts(with: name) {
      let end = rest.count > name.count && rest[name.count] == UInt8(ascii: ".") ? name.count + 1 : name.count
      if !isLetter(rest, end) { return (month, line.count - start - rest.count + end) }
    }
    return number(of: line[start..<start + 3]).map { ($0, 3) }
  }

  private static func isLetter(_ line: Bytes, _ position: Int) -> Bool {
    position < line.count && (line[position] >= 0x80 || (0x61...0x7A).contains(line[position] | 0x20))
  }

  static let full = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
  ]

  private static let keys: [UInt32] = full.map { name in
    name.utf8.prefix(3).reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static let namesOfMonths = [
    "janv jän jaan ene gen sty led oca ian янв яну студз січ ιαν tammi tammik 1月 1월",
    "févr fév fev febr lut úno şub фев люты лют φεβ helmi helmik veebr 2月 2월",
    "mär märz mars mrt márc bře мар сак бер μάρ μαρ maalis maalisk märts 3月 3월",
    "avr avril abr kwi dub nis ápr апр крас кві απρ huhti huhtik aprill 4月 4월",
    "mai mei maj máj mag maio kvě май мая тра μάι μαΐ μαι touko toukok 5月 5월",
    "juin giu juni jún cze haz чэр юни июн чер ιούν ιουν kesä kesäk juuni 6月 6월",
    "juil lug juli júl lip tem ліп юли июл лип ιούλ ιουλ heinä heinäk juuli 7月 7월",
    "août ago aou sie ağu жні авг сер αύγ αυγ elo elok 8月 8월",
    "sept set szept wrz zář eyl вер сеп сен σεπ syys syysk 9月 9월",
    "okt out ott paź říj eki кас окт жов οκτ loka lokak 10月 10월",
    "kas marras marrask лис лістап ное ноя νοέ νοε listop 11月 11월",
    "déc dez dic des gru pro ara снеж дек гру δεκ joulu jouluk dets 12月 12월",
  ]

  private static let translated: [(name: [UInt8], month: Int)] = {
    var translated: [(name: [UInt8], month: Int)] = []
    for (index, names) in namesOfMonths.enumerated() {
      for name in names.split(separator: " ") {
        let capitalized = name.prefix(1).uppercased() + name.dropFirst()
        translated.append((Array(name.utf8), index + 1))
        translated.append((Array(capitalized.utf8), index + 1))
      }
    }
    return translated.sorted { $0.name.count > $1.name.count }
  }()
}
