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
    let deadline = Date.now + 30
    while lines("out").isEmpty, Date.now < deadline { usleep(20_000) }
    while said.withLock({ $0.isEmpty }), Date.now < deadline { usleep(20_000) }
    command.give(Array("two\n".utf8))
    while lines("out").count < 2, Date.now < deadline { usleep(20_000) }
    command.finish()
    #expect(lines("out") == ["one", "two"])
    #expect(
      said.withLock { $0.first } == "the command of --exec ended with status 3; it is started again in 1 s")
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
