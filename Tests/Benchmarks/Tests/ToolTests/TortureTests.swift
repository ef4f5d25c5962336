#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// A short walk of `make torture`, and whether it would find anything.
  @Suite(.serialized) struct TortureTests {
    /// Plays some rounds.
    private func play(_ arguments: [String]) throws -> ToolRun {
      let folder = try ToolFolder()
      return try ToolRun(
        "scrollback-torture",
        ["--program", BuiltProduct.path(of: "scrollback"), "--folder", folder.url.path, "--seed", "11"]
          + arguments)
    }

    @Test func `a short walk finds nothing`() throws {
      let run = try play(["--rounds", "24", "--deeds", "append,attach,restore"])
      #expect(run.status == 0 && run.output.contains("24 rounds"), "\(run.output)")
    }

    @Test func `a command is killed at each call, and all that may come next ends right`() throws {
      let run = try play(["--round", "steps/people-link"])
      #expect(
        run.status == 0 && run.output.contains(/steps\/people-link: \d+ points, 2 different states/),
        "\(run.output)")
    }

    @Test func `what is followed while followers are killed comes in once`() throws {
      let run = try play(["--round", "follow/250/1"])
      #expect(run.status == 0 && run.output.contains(/follow\/250\/1: [2-9] kills/), "\(run.output)")
    }

    @Test func `it finds the program beside it, though it was found by its name alone`() throws {
      let folder = try ToolFolder()
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.currentDirectoryURL = folder.url
      process.environment = [
        "PATH": URL(fileURLWithPath: BuiltProduct.path(of: "scrollback-torture")).deletingLastPathComponent()
          .path + ":/usr/bin:/bin"
      ]
      process.arguments = ["scrollback-torture", "--folder", folder.url.path, "--round", "flip/1"]
      process.standardOutput = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0 && text.contains("1 rounds"), "\(text)")
    }

    @Test(arguments: ["lost-message", "double-message", "wrong-count", "changed-text", "leftover"])
    func `a fault that is made on purpose is found, and its round is told`(fault: String) throws {
      let round = "fault/append/delay/s/1/1"
      let run = try play(["--round", round, "--plant", fault])
      #expect(run.status == 1, "\(run.output)")
      #expect(
        run.output.contains("FAILED \(round)") && run.output.contains("make torture ROUND=\(round)"),
        "\(run.output)")
    }
  }
#endif
