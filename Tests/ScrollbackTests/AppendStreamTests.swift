import Foundation
import ShellTesting
import Testing

/// What `append` and scripts make of the ways in which standard input can end.
@Suite(.serialized) struct AppendStreamTests {
  private let fixture: ShellFixture

  init() throws { fixture = try ShellFixture(count: 3) }

  private func newest(_ count: Int) throws -> [String] {
    try fixture.run(["tail", "-n", "\(count)"]).output.split(separator: "\n").map {
      String($0.split(separator: " ", maxSplits: 3).last ?? "").replacing("carol  ", with: "").replacing(
        /^ +/, with: "")
    }
  }

  /// The program with something else than a pipe from which it reads; what it wrote to both streams.
  private func run(
    _ arguments: [String], reading input: Any, whileRunning body: (Process) throws -> Void = { _ in }
  ) throws -> (text: String, status: Int32, isSignal: Bool) {
    let process = fixture.process(arguments)
    process.standardInput = input
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    try body(process)
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (text, process.terminationStatus, process.terminationReason == .uncaughtSignal)
  }

  private func folder() throws -> FileHandle {
    try #require(FileHandle(forReadingAtPath: fixture.folder.path))
  }

  @Test func `an input that cannot be read is no end of it`() throws {
    let answer = try run(["append", "-c", "general"], reading: folder())
    #expect(
      answer.text == """
        appended 0 messages
        scrollback: cannot read standard input further
          cause: Is a directory

        """)
    #expect(answer.status == 74)
    let script = try run(["-c", "general"], reading: folder())
    #expect(script.text.contains("cannot read standard input further") && script.status == 74)
  }

  /// A pipe that says "nothing yet" instead of waiting, as one does that was shared with another program.
  private func impatientPipe() throws -> Pipe {
    let pipe = Pipe()
    #expect(fcntl(pipe.fileHandleForReading.fileDescriptor, F_SETFL, O_NONBLOCK) == 0)
    return pipe
  }

  @Test(arguments: [
    (["append", "-c", "general"], "late\n", "appended 1 message"),
    (["open", "-c", "general"], "/bottom\n", "message 3"),
    (
      ["import", "-"],
      #"{"conversation":"general","time":"2024-06-01T08:00:00Z","sender":"a","text":"late"}"#,
      "imported 1 "
    ),
  ])
  func `an input in which there is nothing yet has not ended`(
    arguments: [String], line: String, sentence: String
  ) throws {
    let pipe = try impatientPipe()
    let answer = try run(arguments, reading: pipe) { process in
      // It has begun to read when it has taken what comes first.
      try pipe.fileHandleForWriting.write(contentsOf: Data(line.utf8))
      while FileHandle.unreadByteCount(of: pipe) > 0, process.isRunning { usleep(1_000) }
      usleep(50_000)
      #expect(process.isRunning)
      try pipe.fileHandleForWriting.close()
    }
    #expect(answer.text.contains(sentence) && answer.status == 0, "\(answer)")
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGPIPE], [["--quiet"], []])
  func `a signal that ends append has it say what is in the store`(signal: Int32, options: [String]) throws {
    let pipe = Pipe()
    let answer = try run(["append", "-c", "general"] + options, reading: pipe) { process in
      try pipe.fileHandleForWriting.write(contentsOf: Data("one\ntwo\nhalf a li".utf8))
      while try newest(1) != ["two"] { usleep(10_000) }
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
    }
    #expect(answer.text == "appended 2 messages\n")
    #expect(answer.isSignal && answer.status == signal)
    #expect(try newest(2) == ["one", "two"])
  }

  #if os(Linux)
    @Test(.enabled(if: SmallDisk.isAvailable, "a disk that is small enough is mounted by root only"))
    func `a full disk has append say what is in the store`() throws {
      let disk = try SmallDisk(megabytes: 6)
      let store = "\(disk.path)/s.db"
      try fixture.run(["append", "-s", store, "-c", "n", "--create", "first"])
      let pipe = Pipe()
      let answer = try run(["append", "-q", "-s", store, "-c", "n"], reading: pipe) { process in
        let line = String(repeating: "long ", count: 10_000) + "\n"
        signal(SIGPIPE, SIG_IGN)
        for _ in 0..<1_000 {
          guard (try? pipe.fileHandleForWriting.write(contentsOf: Data(line.utf8))) != nil else { break }
        }
        try? pipe.fileHandleForWriting.close()
        process.waitUntilExit()
      }
      #expect(answer.status == 74 && answer.text.contains("the disk is full"), "\(answer.text)")
      disk.makeRoom()
      let count =
        try fixture.run(["export", "-q", "-s", store, "--json"]).output.split(separator: "\n").count - 1
      #expect(count > 0 && answer.text.hasPrefix("appended \(count) message"), "\(answer.text)")
    }
  #endif
}

extension FileHandle {
  /// How many bytes wait in a pipe.
  fileprivate static func unreadByteCount(of pipe: Pipe) -> Int32 {
    var count: Int32 = 0
    _ = ioctl(pipe.fileHandleForReading.fileDescriptor, UInt(FIONREAD), &count)
    return count
  }
}
