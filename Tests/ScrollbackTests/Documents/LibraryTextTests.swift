import Foundation
import TestSupport
import Testing

/// What a library says is shown by apps as well, to people who have no shell: which way is out it says by a `Remedy`, and
/// whoever shows it says how that is typed.
@Suite struct LibraryTextTests {
  private static let libraries = [
    "MessageModel", "MessageStorage", "MessageWindows", "MessageInterchange", "MessagePictures",
    "TypedQueries", "HistoryQueries", "HistoryTransfer", "MessageSourceTesting", "ScrollbackKit",
    "MessagePostgres", "WordForms", "HistoryModel", "MessagePeople", "RowGeometry",
  ]

  @Test(arguments: libraries) func `no text of a library names a command`(library: String) throws {
    let folder = GoldenFile.root.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var (found, count): ([String], Int) = ([], 0)
    for case let file as URL in files
    where file.pathExtension == "swift" && file.pathComponents.contains(library) {
      count += 1
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      found += lines.filter(Self.namesCommand).map { "\(file.lastPathComponent): \($0)" }
    }
    #expect(found == [] && count > 0)
  }

  @Test func `a command is found in a text and not in a comment`() {
    #expect(Self.namesCommand(#"  remedy: "scrollback check")"#))
    #expect(Self.namesCommand(#"  "it is a store (scrollback -s FILE opens it)""#))
    #expect(Self.namesCommand(#"  remedy: "another --store")"#))
    #expect(Self.namesCommand(#"  remedy: "createdb, or another address")"#))
    #expect(Self.namesCommand(#"  remedy: "mv \(aside) \(path)")"#))
    #expect(!Self.namesCommand(#"  /// As `scrollback check` does: "scrollback check"."#))
    #expect(!Self.namesCommand(#"  remedy: "a newer scrollback""#))
  }

  /// Programs that are at hand in a shell, and not in an app.
  nonisolated(unsafe) private static let program =
    /\b(apt|brew|chmod|chown|cp|createdb|curl|df|dnf|kill|lsof|mount|mv|pg_\w+|psql|rm|sqlite3|ssh|sudo|tar|unzip)\b/

  /// Whether a line has a string in which a command of the shell is named or, as a way out, an option of one or another program.
  private static func namesCommand(_ line: Substring) -> Bool {
    let code = line.drop { $0 == " " }
    guard !code.hasPrefix("//") else { return false }
    let strings = code.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
    let isRemedy = code.contains("remedy: ")
    return strings.contains {
      $0.contains(/\bscrollback [a-z\-]/)
        || isRemedy && ($0.contains(/(^|[ (])--[a-z]{3}/) || $0.contains(program))
    }
  }
}
