import Foundation
import ShellTesting
import Testing

/// What a program relies upon that reads what `append --ack` prints.
@Suite(.serialized) struct AcknowledgedAppendTests {
  private let fixture: ShellFixture
  private let lines: [String]

  init() throws {
    fixture = try ShellFixture(count: 1)
    lines = (0..<8_000).map { "line \($0)" }
    signal(SIGPIPE, SIG_IGN)
  }

  /// The program as it takes lines and acknowledges them.
  private final class Appending {
    let process: Process
    private let (input, output, errors) = (Pipe(), Pipe(), Pipe())

    init(to fixture: ShellFixture) throws {
      process = fixture.process(["append", "--ack", "-c", "general", "--from", "bot"])
      (process.standardInput, process.standardOutput, process.standardError) = (input, output, errors)
      try process.run()
    }

    /// Gives it lines, from another thread: it may be killed while it does not read.
    func feed(_ lines: some Sequence<String>, thenEnds: Bool = true) {
      let data = Data(lines.map { $0 + "\n" }.joined().utf8)
      let handle = input.fileHandleForWriting
      Thread.detachNewThread {
        try? handle.write(contentsOf: data)
        if thenEnds { try? handle.close() }
      }
    }

    /// What it has printed and was not read yet; empty at the end.
    func printed() -> Data { output.fileHandleForReading.availableData }

    func stopReading() throws { try output.fileHandleForReading.close() }

    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Waits for its end; what it said to people.
    func end() -> String {
      process.waitUntilExit()
      return String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
  }

  /// Appends lines, kills the program when it has acknowledged at least `count` of them, and returns all that it has
  /// acknowledged.
  private func acknowledged(of lines: ArraySlice<String>, killedAfter count: Int) throws -> [String] {
    let appending = try Appending(to: fixture)
    appending.feed(lines)
    var text = Data()
    while true {
      let piece = appending.printed()
      if piece.isEmpty { break }
      text += piece
      if text.count(where: { $0 == 0x0A }) >= count { appending.kill() }
    }
    _ = appending.end()
    // What does not end in a line feed is no acknowledgement.
    return String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast().map(String.init)
  }

  /// The number of messages that the bot wrote behind one, as docs/reliability.md has it asked.
  private func written(after id: String) throws -> Int {
    let question = """
      {"question":"page","conversations":["general"],"filter":{"senders":["bot"]},"at":{"after":"\(id)"},"limit":1000}
      """
    let answer = try fixture.run(["query", question])
    #expect(answer.status == 0 && answer.output.contains(#""hasNewer":false"#), "\(answer)")
    return answer.output.matches(of: /"sender":"bot"/).count
  }

  private func exported() throws -> [(id: String, text: String)] {
    try fixture.run(["export", "--json", "--from", "bot"]).output.matches(
      of: /(?m)^{"id":"(\d+)".*"text":"(.*)"}$/
    )
    .map { (String($0.1), String($0.2)) }
  }

  @Test func `killed again and again, it goes on behind what is there, and each line is there once`() throws {
    var known: [Int: String] = [:]
    var (next, kills) = (0, 0)
    while next < lines.count {
      let ids = try acknowledged(of: lines[next...], killedAfter: [1, 1_500, 700][kills % 3])
      kills += 1
      for id in ids {
        known[next] = id
        next += 1
      }
      next += try written(after: try #require(ids.last))
      let stored = try exported()
      #expect(stored.map(\.text) == Array(lines[..<next]))
      #expect(known.allSatisfy { stored[$0].id == $1 })
    }
    #expect(kills > 3)
    #expect(try exported().map(\.text) == lines)
    #expect(try fixture.run(["check"]).status == 0)
  }

  @Test func `a line is acknowledged before the next one is given, and is in the store by then`() throws {
    let appending = try Appending(to: fixture)
    for number in 0..<5 {
      appending.feed(["line \(number)"], thenEnds: number == 4)
      let id = String(decoding: appending.printed(), as: UTF8.self)
      #expect(try exported().last.map { "\($0.id)\n" } == id)
    }
    #expect(appending.end() == "appended 5 messages\n")
  }

  @Test func `a reader that has gone away ends it, and it says what is in the store`() throws {
    let appending = try Appending(to: fixture)
    appending.feed(["line 0"], thenEnds: false)
    _ = appending.printed()
    try appending.stopReading()
    appending.feed(lines[1...])
    let said = appending.end()
    let count = try exported().count
    #expect(count > 1 && said.replacing(",", with: "") == "appended \(count) messages\n")
    #expect(appending.process.terminationReason == .uncaughtSignal)
    #expect(appending.process.terminationStatus == SIGPIPE)
    #expect(try exported().map(\.text) == Array(lines[..<count]))
  }
}
