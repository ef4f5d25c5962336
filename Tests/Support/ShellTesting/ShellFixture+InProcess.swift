import ChatSession
import Foundation
import ShellCommands
package import TestSupport

extension ShellFixture {
  /// Runs a command in this process, as it runs in a script.
  @discardableResult
  package func run(_ arguments: [String], input: String = "") throws -> Answer {
    let output = CapturedBytes()
    let (errors, status) = try run(arguments, input: input, to: output)
    return (output.text, errors, status)
  }

  /// Runs a command in this process, its output in a terminal, and returns what that shows then.
  package func show(
    _ arguments: [String], rows: Int = 24, columns: Int = 80, environment more: [String: String] = [:]
  ) throws -> (screen: TerminalModel, output: String, status: Int32) {
    let output = CapturedBytes(size: (rows, columns))
    let more = ["TERM": "xterm-256color"].merging(more) { $1 }
    let (errors, status) = try run(arguments, input: "", to: output, environment: more)
    var screen = TerminalModel(rows: rows, columns: columns)
    // A terminal begins a line anew where a program ends one.
    screen.feed((output.text + errors).replacing("\n", with: "\r\n").utf8)
    return (screen, output.text, status)
  }

  private func run(
    _ arguments: [String], input: String, to output: CapturedBytes, environment more: [String: String] = [:]
  ) throws -> (errors: String, status: Int32) {
    let errors = CapturedBytes(size: output.size)
    let pipe = try InputPipe(holding: input, in: folder)
    let shell = Shell(
      environment: environment.merging(more) { $1 }, standardInput: pipe.reader, output: output,
      errors: errors, localZone: { TimeZone(secondsFromGMT: 0) ?? .current }, takesSignals: false,
      openWindow: { _ in throw UsageError("there is no terminal") })
    let status = shell.run(arguments)
    pipe.finish()
    return (errors.text, status.rawValue)
  }
}

/// A pipe that is given a text and then ends.
private struct InputPipe {
  let reader: Int32
  private let writing: Thread?

  /// The bytes that a pipe holds though nobody reads.
  private static let roomByteCount = 4_096

  /// Makes a pipe by the name of a file: no program that is started meanwhile keeps an end of it.
  init(holding text: String, in folder: URL) throws {
    let path = folder.appendingPathComponent("\(UUID().uuidString).input").path
    guard mkfifo(path, 0o600) == 0 else { throw POSIXError(.EIO) }
    defer { unlink(path) }
    reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let end = open(path, O_WRONLY | O_CLOEXEC)
    guard reader >= 0, end >= 0, fcntl(reader, F_SETFL, 0) == 0 else { throw POSIXError(.EMFILE) }
    let writer = FileHandle(fileDescriptor: end, closeOnDealloc: true)
    let data = Data(text.utf8)
    guard data.count > Self.roomByteCount else {
      try writer.write(contentsOf: data)
      try writer.close()
      writing = nil
      return
    }
    writing = Thread {
      try? writer.write(contentsOf: data)
      try? writer.close()
    }
    writing?.start()
  }

  /// Reads what is left, so that nobody waits to write it, and closes the pipe.
  func finish() {
    var rest = [UInt8](repeating: 0, count: 65_536)
    while writing != nil, read(reader, &rest, rest.count) > 0 {}
    close(reader)
  }
}
