import Foundation
import MessageModel

/// Exports of a whole store, as whole processes.
struct ExportScenarios {
  let program: String
  let histories: Histories
  let rounds: Int

  /// The columns of an export by the plain shell.
  private static let query = """
    SELECT message.id, conversation.name AS conversation,
      strftime('%Y-%m-%dT%H:%M:%fZ', message.id / 4096 / 1000.0, 'unixepoch') AS time, sender.name AS sender, kind, text
    FROM conversation JOIN message ON message.conversation = conversation.id
    LEFT JOIN sender ON sender.id = message.sender ORDER BY message.conversation, message.id
    """

  func run() throws -> [TransferFinding] {
    let store = try histories.store(of: histories.size, named: "export.db")
    let output = histories.place("export.out")
    defer { unlink(output) }
    var (lines, text, shell) = (Runs(), Runs(), Runs())
    let hasShell = (try? shell.run(["sqlite3", "-version"])) != nil
    shell = Runs()
    for _ in 0..<rounds {
      try lines.run([program, "export", "--store", store, "--format", "jsonl"], output: output)
      try text.run([program, "export", "--store", store, "--format", "text"], output: output)
      if hasShell { try shell.run(["sqlite3", "-readonly", "-json", store, Self.query], output: output) }
    }
    return [("jsonl", lines), ("text", text)].map { name, runs in
      TransferFinding(
        name: "export \(name)", messageCount: histories.size, ours: runs,
        yardstick: hasShell ? ("sqlite3 -json", shell) : nil)
    }
  }
}
