import Foundation
import MessageInterchange
import MessageModel
import Testing

/// Logs that are rotated away: each line comes in once, in the conversation of its log, whether or not there is a new log yet.
@Suite struct RotationTests {
  /// The names of the conversations, each with how many messages it has.
  private func counts(_ followed: Followed) throws -> [String: Int] {
    Dictionary(
      uniqueKeysWithValues: try followed.store.conversations().map { ($0.name, Int($0.messageCount)) })
  }

  private func lines(_ range: ClosedRange<Int>) -> String {
    range.map { Followed.line($0, "tea \($0)") }.joined()
  }

  @Test(arguments: [
    "tea.log.1", "tea.log.1001", "tea.log-20240501", "tea.log.2024-05-01", "tea.log-20240501T100000",
    "tea.log.1714557600", "tea.log.old", "tea-20240501.log", "tea.1.log", "before/yesterday.log",
  ])
  func `a log whose new one is late is the log it was`(name: String) throws {
    for isRunning in [true, false] {
      let followed = try Followed()
      try followed.write("before/other.txt", "")
      try followed.write("tea.log", lines(1...5))
      try followed.settle()
      // A line that nobody has read yet is rotated away.
      try followed.append("tea.log", lines(6...6))
      try followed.move("tea.log", to: name)
      let second = isRunning ? followed : try followed.restarted()
      try second.settle(for: 70)
      #expect(try counts(second) == ["tea": 6], "\(name)")
      // The process that has the log open goes on with it for a while.
      try followed.append(name, lines(7...7))
      try second.settle(for: 70)
      let third = try second.restarted()
      try followed.write("tea.log", lines(8...9))
      try third.settle(for: 70)
      #expect(try counts(third) == ["tea": 9], "\(name)")
      #expect(try third.texts() == (1...9).map { "tea \($0)" })
      #expect(try counts(third.restarted()) == ["tea": 9])
    }
  }

  @Test(arguments: ["gzip", "xz", "bzip2", "zstd"])
  func `a log that was compressed as it was rotated away is the log it was`(program: String) throws {
    guard let tool = Compressor(program) else { return }
    for name in ["tea.log.1", "tea.log", "tea-before.log"] {
      let followed = try Followed()
      try followed.write("tea.log", lines(1...5))
      try followed.settle()
      try followed.append("tea.log", lines(6...6))
      if name != "tea.log" { try followed.move("tea.log", to: name) }
      try tool.run(followed.path(name))
      let second = try followed.restarted()
      #expect(try counts(second) == ["tea": 6], "\(name)")
      try followed.write("tea.log", lines(7...7))
      try second.settle(for: 70)
      #expect(try counts(second.restarted()) == ["tea": 7], "\(name)")
    }
  }

  @Test func `a log that is named itself is read on where it was rotated to`() throws {
    let followed = try Followed(following: "tea.log")
    try followed.write("tea.log", lines(1...5))
    try followed.write("other.log", lines(20...30))
    try followed.settle()
    try followed.append("tea.log", lines(6...6))
    try followed.move("tea.log", to: "tea.log.1")
    try followed.settle(for: 1)
    #expect(try counts(followed) == ["tea": 6])
    try followed.append("tea.log.1", lines(7...7))
    let second = try followed.restarted()
    try second.settle(for: 10)
    #expect(try counts(second) == ["tea": 7])
    try followed.write("tea.log", lines(8...8))
    try second.settle(for: 10)
    #expect(try counts(second.restarted()) == ["tea": 8])
  }

  @Test func `a number of a file that was given out again makes another log of nothing`() throws {
    let followed = try Followed()
    try followed.write("tea.log", lines(1...5))
    try followed.settle()
    // The same file with other bytes stands for one that has its number.
    try followed.overwrite("tea.log", (1...5).map { Followed.line($0, "coffee \($0)") }.joined())
    try followed.move("tea.log", to: "coffee.log")
    let second = try followed.restarted()
    #expect(try counts(second) == ["tea": 5, "coffee": 5])
  }

  @Test func `logs that begin alike stay apart`() throws {
    let followed = try Followed()
    try followed.write("tea.log", lines(1...5))
    try followed.settle()
    try followed.write("tea-house.log", lines(1...4))
    try followed.write("tearoom.log", lines(1...6))
    let second = try followed.restarted()
    #expect(try counts(second) == ["tea": 5, "tea-house": 4, "tearoom": 6])
  }

  @Test func `equal lines on both sides of a rotation are two, though the new log is late`() throws {
    let followed = try Followed()
    try followed.write("tea.log", Followed.line(0, "tea?") + Followed.line(1, "ok"))
    try followed.settle()
    try followed.move("tea.log", to: "tea.log.1")
    try followed.settle(for: 70)
    try followed.write("tea.log", Followed.line(1, "ok"))
    try followed.settle(for: 1)
    #expect(try followed.texts() == ["tea?", "ok", "ok"])
  }

  @Test func `what is remembered of a file is read as it was written, and as earlier versions wrote it`()
    throws
  {
    let followed = try Followed()
    try followed.write("tea log", lines(1...5))
    let facts = try #require(FileFacts(of: followed.path("tea log")))
    let mark = try #require(FileMark(of: OpenFile(path: followed.path("tea log")), upTo: 100))
    for file in [
      RememberedFile(facts), RememberedFile(facts, mark: mark),
      RememberedFile(facts, mark: mark, log: "/logs of ann/tea  log"), RememberedFile(facts, log: "/tea log"),
    ] {
      #expect(RememberedFile(file.description) == file)
    }
    #expect(RememberedFile("1 2 3 4 5 6")?.facts.byteCount == 3)
    for text in ["", "1 2 3", "1 2 3 4 5 x", "- - - - - -"] { #expect(RememberedFile(text) == nil) }
  }
}

/// A program that compresses a file in its place.
private struct Compressor {
  private let program: URL

  init?(_ name: String) {
    program = URL(fileURLWithPath: "/usr/bin/\(name)")
    guard FileManager.default.isExecutableFile(atPath: program.path) else { return nil }
  }

  func run(_ path: String) throws {
    let process = Process()
    process.executableURL = program
    process.arguments = program.lastPathComponent == "zstd" ? ["-q", "--rm", path] : [path]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }
}
