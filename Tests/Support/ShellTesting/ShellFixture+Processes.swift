package import Foundation
package import TestSupport

extension ShellFixture {
  /// The program in a process of its own that is not started yet, in which SIGPIPE ends it as in a shell: whoever runs the
  /// tests may have that signal ignored, which programs inherit.
  package func process(_ arguments: [String]) -> Process {
    let process = Process()
    let program = BuiltProduct.path(of: "scrollback")
    #if os(Linux)
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["--default-signal=PIPE", program] + arguments
    #else
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = arguments
    #endif
    process.environment = environment
    return process
  }

  /// Runs the program in a process of its own, without a terminal: for what a process alone can show (signals, limits, its folder).
  @discardableResult
  package func runProcess(_ arguments: [String], input: String = "") throws -> Answer {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "scrollback"))
    process.arguments = arguments
    process.environment = environment
    let pipes = (Pipe(), Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (pipes.0, pipes.1, pipes.2)
    try process.run()
    try pipes.0.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try pipes.0.fileHandleForWriting.close()
    let output = pipes.1.fileHandleForReading.readDataToEndOfFile()
    let errors = pipes.2.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (
      String(decoding: output, as: UTF8.self), String(decoding: errors, as: UTF8.self),
      process.terminationStatus
    )
  }

  /// Starts another program that writes.
  package func writer(as name: String) throws -> Writer { try Writer(self, as: name) }

  /// Another program that writes into `general`, a message for each line it is given.
  package final class Writer {
    private let process = Process()
    private let pipe = Pipe()

    fileprivate init(_ fixture: ShellFixture, as name: String) throws {
      process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "scrollback"))
      process.arguments = ["append", "--quiet", "-c", "general", "--from", name]
      process.environment = fixture.environment
      process.standardInput = pipe
      try process.run()
    }

    /// Has it write a message, some time soon.
    package func say(_ text: String) throws {
      try pipe.fileHandleForWriting.write(contentsOf: Data((text + "\n").utf8))
    }

    /// Waits until all is written.
    package func finish() throws {
      try pipe.fileHandleForWriting.close()
      process.waitUntilExit()
      if process.terminationStatus != 0 { throw Failure(answer: ("", "", process.terminationStatus)) }
    }
  }

  /// Runs the program in a terminal, whatever it shows there. A REPL takes the history for one that was written here.
  package func start(
    _ arguments: [String] = [], rows: Int = 12, columns: Int = 60, environment more: [String: String] = [:]
  ) throws -> PseudoTerminal {
    let isCommand = arguments.first.map { !$0.hasPrefix("-") && !["open", "general"].contains($0) } ?? false
    if !isCommand { try forgetImport() }
    let terminal = try PseudoTerminal(
      running: BuiltProduct.path(of: "scrollback"), arguments,
      environment: environment.merging(more) { $1 }, rows: rows, columns: columns)
    terminal.belongings = self
    return terminal
  }

  /// Opens the REPL in a terminal and waits for its first screen.
  package func open(
    _ arguments: [String] = [], rows: Int = 12, columns: Int = 60, environment more: [String: String] = [:],
    prompt: String = ">"
  ) throws -> PseudoTerminal {
    let terminal = try start(arguments, rows: rows, columns: columns, environment: more)
    try terminal.wait(for: "the first screen") { screen in
      screen.isAlternate && screen.text(ofRow: rows - 1).hasPrefix(prompt) && screen.contains(" of ")
    }
    return terminal
  }
}

extension Pipe {
  /// Reads until something was written to it.
  ///
  /// - Returns: What was read.
  /// - Throws: ``ShellFixture/Failure`` if it ends before.
  @discardableResult
  package func wait(for text: String) throws -> String {
    var output = ""
    while !output.contains(text) {
      let piece = fileHandleForReading.availableData
      guard !piece.isEmpty else {
        throw ShellFixture.Failure(answer: (output, "'\(text)' does not come, and nothing else", -1))
      }
      output += String(decoding: piece, as: UTF8.self)
    }
    return output
  }
}
