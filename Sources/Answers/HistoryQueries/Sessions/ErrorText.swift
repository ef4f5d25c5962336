/// The words of an error that are alike in every run.
///
/// Left out are numbers, paths, addresses and other words with digits, but not the codes of errors (`E0432`).
struct ErrorText {
  /// Different ones in lower case, in the order of the text.
  private(set) var words: [String] = []
  /// Those of them that the error quotes: names, which are other ones elsewhere.
  private(set) var quoted: Set<String> = []
  private var lineCount = 0

  private static let mostWords = 48
  private static let mostLines = 12
  /// The part of the words that has to be there.
  private static let leastPart = 0.75
  private static let longestShown = 400

  /// `nil` if there is no letter or digit in it.
  init?(_ text: String) {
    let text = Self.unstyled(text)
    for line in text.textLines where lineCount < Self.mostLines && words.count < Self.mostWords {
      let count = words.count
      for piece in line.split(whereSeparator: \.isWhitespace) where !Self.isOfOneRun(piece) { add(piece) }
      if words.count > count || lineCount > 0 { lineCount += 1 }
    }
    if words.isEmpty {
      for piece in text.prefix(Self.longestShown).split(whereSeparator: \.isWhitespace) { add(piece) }
      lineCount = 1
    }
    if words.isEmpty { return nil }
  }

  private mutating func add(_ piece: Substring) {
    let isQuoted = piece.first.map { "'\"`‘“«".contains($0) } ?? false
    for word in Self.words(of: piece) where words.count < Self.mostWords && !words.contains(word) {
      words.append(word)
      if isQuoted { quoted.insert(word) }
    }
  }

  private static func words(of text: some StringProtocol) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// Without the colours of a terminal, which stand within words.
  private static func unstyled(_ text: String) -> String {
    text.utf8.contains(0x1B) ? text.replacing(/\u{1B}\[[0-9;:]*m/, with: "") : text
  }

  private static func isOfOneRun(_ piece: Substring) -> Bool {
    if piece.contains("/") || piece.contains("\\") { return true }
    guard piece.contains(where: \.isNumber) else { return false }
    let bare = piece.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "-" }
    return !bare.contains(where: isCode)
  }

  /// Capitals and a number: `E0432`, `TS2304`, `ERR_12`.
  private static func isCode(_ word: Substring) -> Bool {
    let letters = word.prefix { $0.isUppercase }
    let digits = word.dropFirst(letters.count).drop { $0 == "_" || $0 == "-" }
    return (1...8).contains(letters.count) && (1...6).contains(digits.count) && digits.allSatisfy(\.isNumber)
  }

  /// The error without the names that it quotes; `nil` if it quotes none, or nothing else.
  var withoutQuoted: ErrorText? {
    var other = self
    other.words.removeAll(where: quoted.contains)
    other.quoted = []
    return quoted.isEmpty || other.words.isEmpty ? nil : other
  }

  /// The longest words, to choose those from that are searched for.
  func longest(_ count: Int) -> [String] {
    Array(words.sorted { ($1.count, $0) < ($0.count, $1) }.prefix(count))
  }

  /// Returns the lines of a text in which most of the words stand together, cut if they are long; `nil` if they
  /// stand nowhere so.
  ///
  /// - Complexity: O(text).
  func place(in text: String) -> String? {
    let lines = text.textLines
    let texts = lines.map { Self.unstyled(String($0)) }
    let numbers = Dictionary(words.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    var counts = [Int](repeating: 0, count: words.count)
    var window: [(line: Int, words: [Int])] = []
    var (present, best) = (0, (count: 0, lines: 0..<0))
    for (line, text) in texts.enumerated() {
      let found = Set(Self.words(of: text).compactMap { numbers[$0] })
      if found.isEmpty { continue }
      while let first = window.first, first.line + lineCount < line {
        for word in first.words {
          counts[word] -= 1
          if counts[word] == 0 { present -= 1 }
        }
        window.removeFirst()
      }
      for word in found {
        if counts[word] == 0 { present += 1 }
        counts[word] += 1
      }
      window.append((line, Array(found)))
      if present > best.count { best = (present, window[0].line..<(line + 1)) }
    }
    let least = words.count <= 3 ? words.count : Int((Double(words.count) * Self.leastPart).rounded(.up))
    guard best.count >= least else { return nil }
    let place = lines[best.lines].joined(separator: "\n")
    return place.count > Self.longestShown ? "\(place.prefix(Self.longestShown))…" : place
  }
}
