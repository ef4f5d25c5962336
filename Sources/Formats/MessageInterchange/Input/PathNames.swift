internal import MessageModel

struct PathNames {
  var day: CivilTime?
  /// The file's name without its date, or the nearest folder above the dates.
  var conversation: String

  init(_ components: [String]) {
    let name = components.last ?? ""
    let folders = components.dropLast()
    if let found = Self.date(in: name) {
      day = found.day
      conversation = Self.trimmed(found) ?? Self.lastName(in: folders)
    } else if let found = Self.splitDate(components) {
      day = found
      conversation = Self.lastName(in: folders)
    } else {
      day = folders.last.flatMap { Self.date(in: $0)?.day } ?? Self.splitDate(Array(folders))
      let own = Self.withoutExtension(Self.withoutRotation(name))
      conversation = own.isEmpty || Self.isPeriod(own) ? Self.lastName(in: folders) : own
    }
  }

  /// Whether a file or folder was not put there by the user. Names of zulip-archive may begin with a
  /// character's code: `.22quoted.22.json`. Hidden folders of assistants in projects are read, but only what
  /// assistants are known to put there (``AssistantPlace``).
  /// `folder` is the path in parts, as far as it is known.
  static func isHidden(_ name: String, in folder: [String] = []) -> Bool {
    if let isRead = AssistantPlace.isRead(name, inCowork: folder) { return !isRead }
    if let histories = folder.last.flatMap({ ImportFormats.hiddenFolders[$0] }) {
      return !histories.contains { name == $0 || name.hasPrefix($0 + "-") }
    }
    guard name.hasPrefix(".") else { return name == "__MACOSX" }
    if ImportFormats.hiddenFiles.contains(name) || ImportFormats.hiddenFolders[name] != nil { return false }
    let code = name.dropFirst().prefix(2)
    return
      !(name.hasSuffix(".json") && code.count == 2
      && code.allSatisfy { $0.isHexDigit && !$0.isLowercase })
  }

  static func withoutArchiveExtensions(_ name: String) -> String {
    var rest = name[...]
    for suffix in [".gz", ".xz", ".zst", ".bz2", ".tgz", ".txz", ".tar", ".zip"] where rest.hasSuffix(suffix)
    {
      rest = rest.dropLast(suffix.count)
    }
    return rest.isEmpty ? name : String(rest)
  }

  static func archiveExtensions(of name: String) -> Substring {
    name.dropFirst(withoutArchiveExtensions(name).count)
  }

  static func folderAndName(of path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    return (String(path[...slash]), String(path[path.index(after: slash)...]))
  }

  /// Removes the number of a rotated log: `tea.log.12` becomes `tea.log`.
  private static func withoutRotation(_ name: String) -> String {
    let words = name.split(separator: ".", omittingEmptySubsequences: false)
    guard words.count > 2, let number = words.last, !number.isEmpty, number.utf8.allSatisfy(isDigit),
      logExtensions.contains(words[words.count - 2].lowercased())
    else { return name }
    return words.dropLast().joined(separator: ".")
  }

  private static func withoutExtension(_ name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name[dot...].utf8.count <= 12,
      !name[dot...].contains("#"), !name[dot...].contains(" ")
    else { return name }
    return String(name[..<dot])
  }

  private static func lastName(in folders: ArraySlice<String>) -> String {
    for folder in folders.reversed() where !isPartOfDate(folder) && !isPeriod(folder) {
      guard let dated = date(in: folder) else { return folder }
      if let rest = trimmed(dated) { return rest }
    }
    return "imported"
  }

  private static func isPartOfDate(_ name: String) -> Bool {
    if name.utf8.count == 7, case let parts = name.split(separator: "-"), parts.count == 2 {
      return parts.allSatisfy { isPartOfDate(String($0)) } && parts[0].utf8.count == 4
    }
    guard let number = Int(name), name.utf8.allSatisfy({ (48...57).contains($0) }) else { return false }
    return name.utf8.count == 4 && (1_970...2_200).contains(number)
      || name.utf8.count <= 2 && (1...31).contains(number)
  }

  /// Whether a name is only a period: `2013`, `2015q4`, `2013-June`, `June-2013`, `2013-06`, `201306`.
  private static func isPeriod(_ name: String) -> Bool {
    let words = name.split { "-_. ".contains($0) }.map(String.init)
    switch words.count {
    case 1: return isYear(words[0]) || isQuarter(words[0]) || isYearAndMonth(words[0])
    case 2:
      let (first, second) = (words[0], words[1])
      return isYear(first) && (isMonth(second) || isQuarter("1970" + second))
        || isMonthName(first) && isYear(second)
    default: return false
    }
  }

  /// Whether a name without its date is `Week-of-Mon`, pipermail's name for the mails of a week.
  private static func isWeek(_ name: Substring) -> Bool { name.lowercased() == "week-of-mon" }

  private static func isYear(_ word: String) -> Bool {
    word.utf8.count == 4 && word.utf8.allSatisfy(isDigit)
      && Int(word).map { (1_970...2_200).contains($0) } ?? false
  }

  private static func isQuarter(_ word: String) -> Bool {
    let rest = word.dropFirst(4).utf8
    return isYear(String(word.prefix(4))) && rest.count == 2 && (rest.first ?? 0) | 0x20 == 0x71
      && (0x31...0x34).contains(rest.last ?? 0)
  }

  private static func isYearAndMonth(_ word: String) -> Bool {
    word.utf8.count == 6 && isYear(String(word.prefix(4))) && isMonth(String(word.dropFirst(4)))
  }

  private static func isMonth(_ word: String) -> Bool {
    isMonthName(word) || word.utf8.count == 2 && Int(word).map { (1...12).contains($0) } ?? false
  }

  private static func isMonthName(_ word: String) -> Bool {
    DateWords.isEnglishMonth(word)
  }

  /// The day of `2012/05/04.log` or `2012-05/04.log`.
  private static func splitDate(_ components: [String]) -> CivilTime? {
    guard components.count >= 2, let name = components.last else { return nil }
    let own = name.prefix { $0.isASCII && ($0.isNumber || $0 == "-") }
    guard !own.isEmpty else { return nil }
    let parts = (components.dropLast().suffix(2) + [String(own)]).flatMap { $0.split(separator: "-") }
    let numbers = parts.suffix(3).map { Int($0) ?? -1 }
    guard numbers.count == 3, (1_970...2_200).contains(numbers[0]) else { return nil }
    let day = CivilTime(year: numbers[0], month: numbers[1], day: numbers[2])
    return day.isValid ? day : nil
  }

  private static func trimmed(_ dated: DatedName) -> String? {
    let stripped = withoutSuffixWords(dated)
    let marks: Set<Character> = ["-", "_", ".", " ", "(", ")", "[", "]"]
    let inner = stripped.drop { marks.contains($0) }
    let end = inner.lastIndex { !marks.contains($0) }
    guard let end, inner.contains(where: { $0.isLetter || $0 == "#" }), !isWeek(inner[...end]) else {
      return nil
    }
    return String(inner[...end])
  }

  /// Removes the extensions of logs: the rest of `2005-02-08.train-a.raw.txt` is not a name.
  private static func withoutSuffixWords(_ dated: DatedName) -> String {
    let isNumber = dated.beginsWithDate && (dated.rest.hasPrefix(".") || dated.rest.hasPrefix("_"))
    let name = isNumber ? "" : dated.rest
    var words = name.split(separator: ".", omittingEmptySubsequences: false)
    while let last = words.last, words.count > 1, logExtensions.contains(last.lowercased()) || last.isEmpty {
      words.removeLast()
    }
    return words.joined(separator: ".")
  }

  private static let logExtensions: Set<String> = [
    "log", "txt", "raw", "text", "html", "json", "jsonl", "weechatlog",
  ]

  private struct DatedName {
    var day: CivilTime
    var rest: String
    var beginsWithDate: Bool
  }

  /// Finds the last date in a name: 2024-05-01, 2024_05_01, 2024.05.01, 20240501 or 01May2024.
  private static func date(in name: String) -> DatedName? {
    let bytes = Array(name.utf8)
    for start in bytes.indices.reversed() {
      guard start == 0 || !isDigit(bytes[start - 1]), isDigit(bytes[start]) else { continue }
      guard let (day, end) = numericDate(bytes, start) ?? namedDate(bytes, start), day.isValid else {
        continue
      }
      let rest =
        String(decoding: bytes[..<start], as: UTF8.self) + String(decoding: bytes[end...], as: UTF8.self)
      return DatedName(day: day, rest: rest, beginsWithDate: start == 0)
    }
    return nil
  }

  private static func numericDate(_ bytes: [UInt8], _ start: Int) -> (CivilTime, Int)? {
    var position = start
    guard let year = number(bytes, &position, digits: 4), (1_970...2_200).contains(year) else { return nil }
    let mark = position < bytes.count && [0x2D, 0x5F, 0x2E].contains(bytes[position]) ? bytes[position] : nil
    if mark != nil { position += 1 }
    guard let month = number(bytes, &position, digits: 2) else { return nil }
    if let mark {
      guard position < bytes.count, bytes[position] == mark else { return nil }
      position += 1
    }
    guard let day = number(bytes, &position, digits: 2) else { return nil }
    guard position == bytes.count || !isDigit(bytes[position]) else { return nil }
    return (CivilTime(year: year, month: month, day: day), position)
  }

  private static func namedDate(_ bytes: [UInt8], _ start: Int) -> (CivilTime, Int)? {
    var position = start
    guard let day = number(bytes, &position, digits: 2), position + 3 <= bytes.count,
      let month = DateWords.englishMonth(of: bytes[position..<position + 3])
    else { return nil }
    position += 3
    guard let year = number(bytes, &position, digits: 4) else { return nil }
    return (CivilTime(year: year, month: month, day: day), position)
  }

  private static func number(_ bytes: [UInt8], _ position: inout Int, digits: Int) -> Int? {
    guard position + digits <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[position..<position + digits] {
      guard isDigit(byte) else { return nil }
      value = value * 10 + Int(byte - 48)
    }
    position += digits
    return value
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 48 && byte <= 57 }
}
