/// The known logs of a source, by which one that was rotated away is known again: by its name, or as the same file
/// or the same content under another name.
///
/// Numbers of files are given out again by the system: the first bytes of a file, and the last of those that were read,
/// decide.
package struct LogBook {
  private let remembered: [String: RememberedFile]
  /// The paths of all logs, whether they are there or not.
  private var logs: Set<String> = []
  /// The entries that have a mark, by the number of the file, and by its folder and stem.
  private var byNumber: [Int64: [Entry]] = [:]
  private var byStem: [String: [Entry]] = [:]

  private struct Entry {
    var log: String
    var facts: FileFacts
    var mark: FileMark
  }

  /// Creates a book that knows of no log.
  package init() { remembered = [:] }

  /// Creates a book.
  ///
  /// - Parameters:
  ///   - remembered: What is remembered of files, by their paths.
  ///   - former: The same of logs whose place was taken by others.
  ///   - present: The paths of further files that are known.
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

  /// Returns the path of the log that a file was before it was rotated away; `nil` if it has its own name.
  ///
  /// - Parameter isBeside: Whether there is a file of a name beside it.
  /// - Complexity: O(1) by its name; else O(logs that its name begins like), of which a few bytes are compared and, where what
  ///   is compressed begins as one of them does, all that was read of it.
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

  /// The first of the names that a log has had.
  private func origin(of log: String) -> String { remembered[log]?.log ?? log }

  /// Returns the name of a log without its extension.
  private static func stem(of log: String) -> String {
    let (folder, name) = PathNames.folderAndName(of: log)
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return log }
    return folder + name[..<dot]
  }

  /// The beginnings of a name, of which one may be what is left of the name of its log.
  private static func stems(of name: String) -> [String] {
    name.indices.filter { $0 > name.startIndex && ".-_ ~".contains(name[$0]) }.map { String(name[..<$0]) }
  }
}
