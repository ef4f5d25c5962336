#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// A short walk of `make torture`, and whether it would find anything.
  @Suite(.serialized) struct TortureTests {
    /// Plays some rounds, and returns what was printed.
    private func play(_ arguments: [String]) throws -> (output: String, status: Int32) {
      let fixture = try FailingStoreFixture()
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "scrollback-torture"))
      process.arguments =
        ["--program", BuiltProduct.path(of: "scrollback"), "--folder", fixture.folder.path, "--seed", "11"]
        + arguments
      process.standardOutput = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return (text, process.terminationStatus)
    }

    @Test func `a short walk finds nothing`() throws {
      let (output, status) = try play(["--rounds", "24", "--deeds", "append,attach,restore"])
      #expect(status == 0 && output.contains("24 rounds"), "\(output)")
    }

    @Test func `what is followed while followers are killed comes in once`() throws {
      let (output, status) = try play(["--round", "follow/250/1"])
      #expect(status == 0 && output.contains(/follow\/250\/1: [2-9] kills/), "\(output)")
    }

    @Test func `it finds the program beside it, though it was found by its name alone`() throws {
      let fixture = try FailingStoreFixture()
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.currentDirectoryURL = fixture.folder
      process.environment = [
        "PATH": URL(fileURLWithPath: BuiltProduct.path(of: "scrollback-torture")).deletingLastPathComponent()
          .path + ":/usr/bin:/bin"
      ]
      process.arguments = ["scrollback-torture", "--folder", fixture.folder.path, "--round", "flip/1"]
      process.standardOutput = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0 && text.contains("1 rounds"), "\(text)")
    }

    @Test(arguments: ["lost-message", "double-message", "wrong-count", "changed-text", "leftover"])
    func `a fault that is made on purpose is found, and its round is told`(fault: String) throws {
      let round = "fault/append/delay/s/1/1"
      let (output, status) = try play(["--round", round, "--plant", fault])
      #expect(status == 1, "\(output)")
      #expect(
        output.contains("FAILED \(round)") && output.contains("make torture ROUND=\(round)"), "\(output)")
    }
  }
#endif
