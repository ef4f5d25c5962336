/// Passwords in commands, headers, files and sentences.
extension SecretReader {
  private static let longestLine = 400
  private static let password = 3...128
  private static let space = ByteSet(" \t\r\n".utf8)
  private static let lineEnds = ByteSet("\r\n".utf8)
  private static let wordEnds = ByteSet(" \t\r\n\"'`".utf8)
  /// A password may contain these, a word has none within.
  private static let signs = ByteSet("!@#$%^&*?+=".utf8)

  /// `curl -u name:password`
  func curlPassword(behind word: Int) -> Range<Int>? {
    for option in [" -u", " --user"] {
      guard let end = self.end(of: option, inLineFrom: word), end < bytes.count else { continue }
      let isApart = Self.blanks.contains(bytes[end]) || bytes[end] == UInt8(ascii: "=")
      guard isApart || option == " -u" else { continue }
      let value = self.word(from: skip(Self.quotes, from: isApart ? end + 1 : end, most: 3))
      guard let colon = bytes[value].firstIndex(of: UInt8(ascii: ":")) else { continue }
      let range = colon + 1..<value.upperBound
      if range.count >= 2, isPassword(range), !bytes[value.lowerBound..<colon].elementsEqual(bytes[range]) {
        return range
      }
    }
    return nil
  }

  /// `sshpass -p password`
  func sshPassword(behind word: Int) -> Range<Int>? {
    guard let end = self.end(of: " -p", inLineFrom: word) else { return nil }
    let range = self.word(from: skip(Self.quotes, from: end, most: 3))
    return Self.password.contains(range.count) && isPassword(range) ? range : nil
  }

  /// `machine host login name password …`, on one line or more
  func netrcPassword(behind word: Int) -> Range<Int>? {
    var place = word
    var isHost = false
    for index in 0..<6 {
      let start = skip(Self.space, from: place, most: 16)
      guard start > place, start < bytes.count else { return nil }
      let end =
        bytes[start...].prefix(256).firstIndex(where: Self.space.contains) ?? min(start + 256, bytes.count)
      if index % 2 == 1, isWord("password", start..<end) {
        let range = self.word(from: skip(Self.space, from: end, most: 16))
        return Self.password.contains(range.count) && isPassword(range) && (isHost || isMixed(range))
          ? range : nil
      }
      if index == 0 { isHost = bytes[start..<end].contains(UInt8(ascii: ".")) }
      if index % 2 == 1, !["login", "account"].contains(where: { isWord($0, start..<end) }) { return nil }
      place = end
    }
    return nil
  }

  /// The values of cookies that are as random as secrets.
  func cookies(behind word: Int) -> [Range<Int>] {
    let colon = skip(Self.quotes, from: word, most: 3)
    guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else { return [] }
    let line = colon + 1..<lineEnd(from: colon, most: 4_096)
    var found: [Range<Int>] = []
    var place = line.lowerBound
    while let sign = bytes[place..<line.upperBound].firstIndex(of: UInt8(ascii: "=")),
      sign + 1 < line.upperBound
    {
      if let value = anyValue(from: sign + 1, least: 16) { found.append(value) }
      place = bytes[sign..<line.upperBound].firstIndex(of: UInt8(ascii: ";")) ?? line.upperBound
    }
    return found
  }

  /// `NickServ IDENTIFY name password`; in a sentence only if it is not a word.
  func nickServPassword(behind word: Int, from start: Int) -> Range<Int>? {
    var before = start
    while before > 0, Self.blanks.contains(bytes[before - 1]) || bytes[before - 1] == UInt8(ascii: ":") {
      before -= 1
    }
    guard before >= 8, isWord("nickserv", before - 8..<before) else { return nil }
    let command = String(decoding: bytes[..<(before - 8)].suffix(9), as: UTF8.self).lowercased()
    let isCommand = ["/msg ", "/query ", "privmsg "].contains(where: command.hasSuffix)
    let end = lineEnd(from: word, most: Self.longestLine)
    var words: [Range<Int>] = []
    var place = skip(Self.blanks, from: word, most: 4)
    while place < end, words.count < 3 {
      let next = self.word(from: place)
      guard !next.isEmpty else { break }
      words.append(next)
      place = skip(Self.blanks, from: next.upperBound, most: 4)
    }
    guard let range = words.last, words.count < 3, Self.password.contains(range.count), isPassword(range),
      isCommand || isMixed(range)
    else { return nil }
    return range
  }

  /// `the password is hunter2` and `password: hunter2`
  func spokenPassword(behind word: Int) -> Range<Int>? {
    var place = word
    if end(of: " is", at: place) != nil {
      place += 3
      if place < bytes.count, bytes[place] == UInt8(ascii: ":") { place += 1 }
    } else if place < bytes.count, bytes[place] == UInt8(ascii: ":") {
      place += 1
    } else {
      return nil
    }
    guard place < bytes.count, Self.blanks.contains(bytes[place]) else { return nil }
    let start = skip(Self.quotes, from: place, most: 4)
    var end = self.word(from: start).upperBound
    while end > start, ".,:;?!)]".utf8.contains(bytes[end - 1]) { end -= 1 }
    let range = start..<end
    guard range.count >= 6, Self.password.contains(range.count), isPassword(range), isMixed(range),
      entropy(of: range) >= 2.25,
      !isAlgorithm(range), !isNumbered(range), !bytes[range].contains(where: "(){}[]/<>,".utf8.contains)
    else { return nil }
    return range
  }

  private func isAlgorithm(_ range: Range<Int>) -> Bool {
    let text = String(decoding: bytes[range], as: UTF8.self).lowercased()
    return ["argon", "sha", "bcrypt", "scrypt", "pbkdf", "md5", "base64", "utf", "$"].contains(
      where: text.hasPrefix)
      || text.contains("://") || text.contains("@") && text.contains(".")
  }

  /// Words that forms, manuals and programs number: `password: prompt1`, `password: varchar255`.
  private static let numbered: Set<String> = [
    "answer", "attempt", "box", "byte", "bytes", "cell", "chapter", "char", "column", "dialog", "example",
    "field",
    "figure", "form", "input", "int", "item", "label", "level", "line", "message", "note", "option", "page",
    "part", "phase", "prompt",
    "question", "row", "screen", "section", "slide", "slot", "stage", "step", "string", "table", "task",
    "text", "textbox", "uint",
    "value", "varchar", "variable", "version",
  ]

  private func isNumbered(_ range: Range<Int>) -> Bool {
    let word = bytes[range].prefix(while: Self.letters.contains)
    let number = bytes[range].dropFirst(word.count).drop { "-_#.".utf8.contains($0) }
    return number.count <= 4 && number.allSatisfy(Self.digits.contains)
      && Self.numbered.contains(String(decoding: word, as: UTF8.self).lowercased())
  }

  private func isMixed(_ range: Range<Int>) -> Bool {
    hasLetterAndDigit(range)
      || bytes[range].contains(where: Self.letters.contains)
        && bytes[range].dropLast().contains(where: Self.signs.contains)
  }

  private func isPassword(_ range: Range<Int>) -> Bool {
    !range.isEmpty && !isExample(range) && !isVariable(range) && !isWordForPassword(range)
  }

  private func word(from start: Int) -> Range<Int> {
    guard start < bytes.count else { return bytes.count..<bytes.count }
    let limit = min(start + Self.password.upperBound + 128, bytes.count)
    if start > 0, "'\"".utf8.contains(bytes[start - 1]),
      let end = bytes[start..<limit].firstIndex(of: bytes[start - 1])
    {
      return start..<end
    }
    return start..<(bytes[start..<limit].firstIndex(where: Self.wordEnds.contains) ?? limit)
  }

  private func lineEnd(from start: Int, most: Int) -> Int {
    let limit = min(start + most, bytes.count)
    return bytes[start..<limit].firstIndex(where: Self.lineEnds.contains) ?? limit
  }

  private func isWord(_ word: String, _ range: Range<Int>) -> Bool {
    bytes[range].lazy.map(WordTrie.folded).elementsEqual(word.utf8)
  }

  private func end(of text: String, at place: Int) -> Int? {
    let end = place + text.utf8.count
    return end <= bytes.count && isWord(text, place..<end) ? end : nil
  }

  private func end(of text: String, inLineFrom start: Int) -> Int? {
    let last = lineEnd(from: start, most: Self.longestLine) - text.utf8.count
    guard start <= last else { return nil }
    return (start...last).lazy.compactMap { end(of: text, at: $0) }.first
  }
}
