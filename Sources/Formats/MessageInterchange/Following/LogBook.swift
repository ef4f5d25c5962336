/// The known logs of a source. It recognises a rotated log by its name, or as the same file or content under
/// another name.
///
/// The system reuses the numbers of files, so the first bytes and the last ones read decide.
package struct LogBook {
  private let remembered: [String: RememberedFile]
  private var logs: Set<String> = []
  /// Entries with a fingerprint, by the file's number, and by folder and stem.
  private var byNumber: [Int64: [Entry]] = [:]
  private var byStem: [String: [Entry]] = [:]

  private struct Entry {
    var log: String
    var facts: FileFacts
    var mark: FileMark
  }

  /// Creates an empty book.
  package init() { remembered = [:] }

  /// Creates a book.
  ///
  /// - Parameters:
  ///   - remembered: The files read so far, by path.
  ///   - former: Logs whose path another file took.
  ///   - present: Further known paths.
  /// - Complexity: O(files).
  package init(
    _ remembered: [String: RememberedFile], former: [(path: String, file: RememberedFile)] = [],
    present: [String] = []
  ) {
    self.remembered = remembered
    logs = Set(present)
    for (path, file) in remembered { note(path, file) }
    for (path, file) in former { note(path, file) }
  }

  private mutating func note(_ path: String, _ file: RememberedFile) {
    let log = file.log ?? path
    logs.insert(log)
    guard let mark = file.mark else { return }
    let entry = Entry(log: log, facts: file.facts, mark: mark)
    byNumber[file.facts.number, default: []].append(entry)
    byStem[Self.stem(of: log), default: []].append(entry)
  }

  /// The path of the log that was rotated to a file. O(1) by name; otherwise O(logs with a similar name),
  /// comparing a few bytes of each, or everything that was read if a compressed file begins the same.
  func log(of path: String, beside isBeside: (String) -> Bool) -> String? {
    let (folder, name) = PathNames.folderAndName(of: path)
    if let log = FolderScan.log(of: name, where: { isBeside($0) || logs.contains(folder + $0) }) {
      return origin(of: folder + log)
    }
    if let known = remembered[path] {
      guard let log = known.log, let facts = FileFacts(of: path) else { return nil }
      return known.facts == facts || known.mark?.isBeginning(ofFileAt: path) ?? false ? log : nil
    }
    guard !byStem.isEmpty, let facts = FileFacts(of: path) else { return nil }
    let same = byNumber[facts.number, default: []].filter { $0.facts.isSameFile(as: facts) }
    let alike = Self.stems(of: name).lazy.flatMap { byStem[folder + $0] ?? [] }
    return (same + alike).first { $0.log != path && $0.mark.isBeginning(ofFileAt: path) }?.log
  }

  private func origin(of log: String) -> String { remembered[log]?.log ?? log }

  private static func stem(of log: String) -> String {
    let (folder, name) = PathNames.folderAndName(of: log)
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return log }
    return folder + name[..<dot]
  }

  /// The prefixes of a name that may be its log's stem.
  private static func stems(of name: String) -> [String] {
    name.indices.filter { $0 > name.startIndex && ".-_ ~".contains(name[$0]) }.map { String(name[..<$0]) }
  }
}

/// The suffix of a rotated log: a number (`.1`, `.1001`), a date or time (`-20240501`, `.2024-05-01`,
/// `-20240501T100000`, `.2024-05-01_10`), or `.old`.
enum RotationSuffix {
  static func places(in name: String) -> [String.Index] {
    name.indices.reversed().filter { place in
      place > name.startIndex && ".-_".contains(name[place])
        && isSuffix(name[name.index(after: place)...], behind: name[place])
    }
  }

  private static func isSuffix(_ text: Substring, behind mark: Character) -> Bool {
    if mark == "." {
      if !text.isEmpty, text.utf8.allSatisfy(isDigit) { return true }
      if text == "old" { return true }
    }
    return isMoment(text)
  }

  private static func isMoment(_ text: Substring) -> Bool {
    let digits = text.utf8.filter(isDigit)
    guard (8...14).contains(digits.count), text.utf8.count <= 20,
      text.utf8.allSatisfy({ isDigit($0) || "-_.T:Z".utf8.contains($0) }),
      text.utf8.first.map(isDigit) ?? false
    else { return false }
    if digits.count == 10, text.utf8.count == 10 { return true }
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + Int($1 - 0x30) } }
    return (1_970...2_200).contains(number(0..<4)) && (1...12).contains(number(4..<6))
      && (1...31).contains(number(6..<8))
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
