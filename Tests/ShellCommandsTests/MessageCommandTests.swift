import Foundation
import Synchronization
import Testing

@testable import ShellCommands

/// `--exec`: a command that is given each message as a line.
@Suite struct MessageCommandTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "exec-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  private func lines(_ name: String) -> [String] {
    let text = (try? String(contentsOfFile: path(name), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  @Test func `each line comes once, in order, to one running command`() {
    let command = MessageCommand("echo run >>'\(path("runs"))'; cat >>'\(path("out"))'") { _ in }
    let sent = (0..<1_000).map { "{\"text\":\"\($0) $(reboot) `id` '\"}" }
    for line in sent { command.give(Array((line + "\n").utf8)) }
    command.finish()
    #expect(lines("out") == sent)
    #expect(lines("runs").count == 1)
  }

  @Test func `a command that ends is started again, says so, and misses nothing that it did not take`() throws
  {
    let said = Mutex<[String]>([])
    let command = MessageCommand("IFS= read -r line; printf '%s\\n' \"$line\" >>'\(path("out"))'; exit 3") {
      text in
      said.withLock { $0.append(text) }
    }
    command.give(Array("one\n".utf8))
    while lines("out").isEmpty { usleep(20_000) }
    while said.withLock({ $0.isEmpty }) { usleep(20_000) }
    command.give(Array("two\n".utf8))
    while lines("out").count < 2 { usleep(20_000) }
    command.finish()
    #expect(lines("out") == ["one", "two"])
    #expect(
      said.withLock { $0.first } == "the command of --exec ended with status 3; it is started again in 1 s")
  }

  #if os(Linux)
    @Test func `the command has its three streams, and nothing else that is open here`() throws {
      var ends: [Int32] = [0, 0]
      // As a library may open it: without close-on-exec.
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      defer { for end in ends { close(end) } }
      let command = MessageCommand("exec ls /proc/self/fd >'\(path("out"))'") { _ in }
      command.finish()
      // The last one is the folder that is listed.
      #expect(lines("out") == ["0", "1", "2", "3"])
    }
  #endif

  @Test func `a command that does not end is ended, with all that it has started`() throws {
    let command = MessageCommand(
      "trap '' TERM; sleep 86400 & echo $! >'\(path("child"))'; echo $$ >'\(path("out"))'; wait; sleep 86400",
      patience: (.milliseconds(10), .milliseconds(10))
    ) { _ in }
    while lines("out").isEmpty { usleep(1_000) }
    command.finish()
    for name in ["out", "child"] {
      let number = try #require(lines(name).first.flatMap { pid_t($0) })
      while kill(number, 0) == 0, !isZombie(number) { usleep(1_000) }
    }
  }

  /// Whether a process has ended, and whoever started it has not taken note.
  private func isZombie(_ number: pid_t) -> Bool {
    let text = (try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)) ?? ""
    return text.contains(") Z ")
  }

  @Test(arguments: ["no-such-command-here", "/etc/passwd", "cat >/dev/null; exit 127"])
  func `a command that is not there or cannot be run is said, and not started again`(text: String) {
    let failed = DispatchSemaphore(value: 0)
    let complaints = Mutex<[String]>([])
    let command = MessageCommand(
      text, fails: { failed.signal() }, complain: { text in complaints.withLock { $0.append(text) } })
    if text.hasPrefix("cat") { command.finish() }
    failed.wait()
    #expect(command.failure?.summary == "cannot run the command of --exec: \(text)")
    #expect(command.failure?.cause?.contains(text == "/etc/passwd" ? "126" : "127") == true)
    if !text.hasPrefix("cat") { command.finish() }
    #expect(complaints.withLock { $0 } == [])
  }

  @Test func `nothing of a message is in the arguments or the environment`() {
    let command = MessageCommand(
      "IFS= read -r line; { env; cat /proc/$$/cmdline; } >'\(path("out"))'; cat >/dev/null"
    ) { _ in }
    command.give(Array("{\"text\":\"very secret\"}\n".utf8))
    command.finish()
    let seen = (try? Data(contentsOf: URL(filePath: path("out")))) ?? Data()
    #expect(!seen.isEmpty && !String(decoding: seen, as: UTF8.self).contains("very secret"))
  }
}
