import Foundation
import MessageModel
import MessageStorage

/// Commands as whole processes, against the tools that people use for the same.
struct CommandScenarios {
  let setting: Setting

  func run() throws -> [Finding] {
    guard !setting.isVast else { return [try tail(), try quickCheck(), try scroll()] }
    return [try tail(), try export(), try exportOfSender(), try quickCheck()]
      + (setting.isSpared(from: 1_000_000) ? [] : [try check()])
      + [try scroll()]
  }

  private func tail() throws -> Finding {
    let store = try setting.store()
    let sql =
      "SELECT id, sender, kind, text FROM message WHERE conversation = 1 ORDER BY id DESC LIMIT 50"
    return try Program.compare(
      "tail -n 50", Program(setting.scrollback, "tail", "-n", "50", "--store", store),
      with: Program.installed("sqlite3").map { Program($0, "-readonly", store, sql) },
      named: "sqlite3 LIMIT 50",
      times: setting.depth.times(41))
  }

  private func export() throws -> Finding {
    let store = try setting.store()
    var ours = Program(setting.scrollback, "export", "--format", "jsonl", "--store", store)
    let sql = """
      SELECT m.id, c.name AS conversation, strftime('%Y-%m-%dT%H:%M:%fZ', (m.id >> 12) / 1000.0, 'unixepoch') AS time, \
      s.name AS sender, m.kind, m.text FROM message m JOIN conversation c ON c.id = m.conversation \
      LEFT JOIN sender s ON s.id = m.sender ORDER BY m.conversation, m.id
      """
    var theirs = Program.installed("sqlite3").map { Program($0, "-readonly", "-json", store, sql) }
    ours.output = setting.path("ours.jsonl")
    theirs?.output = setting.path("theirs.json")
    return try Program.compare(
      "export as JSON Lines", ours, with: theirs, named: "sqlite3 -json",
      times: setting.depth.times(5), baselineTimes: setting.isSpared(from: 1_000_000) ? 2 : nil)
  }

  private func exportOfSender() throws -> Finding {
    let (store, history) = (try setting.store(), try setting.jsonLines(conversations: 1))
    let sender = setting.generator(conversations: 1).senderNames[0]
    var ours = Program(setting.scrollback, "export", "--from", sender, "--store", store)
    var theirs = Program.installed("jq").map {
      Program($0, "-c", "--arg", "sender", sender, "select(.sender == $sender)", history)
    }
    ours.output = setting.path("ours.jsonl")
    theirs?.output = setting.path("theirs.json")
    return try Program.compare(
      "export of what one sender wrote", ours, with: theirs, named: "jq over JSON Lines",
      times: setting.depth.times(setting.size > 1_000_000 ? 1 : 5),
      baselineTimes: setting.isSpared(from: 1_000_000) ? 1 : nil)
  }

  private func quickCheck() throws -> Finding {
    try Program.measure(
      "check --quick", Program(setting.scrollback, "check", "--quick", "--store", try setting.store()),
      times: setting.depth.times(11))
  }

  private func check() throws -> Finding {
    let store = try setting.store()
    return try Program.compare(
      "check", Program(setting.scrollback, "check", "--store", store),
      with: Program.installed("sqlite3").map { Program($0, "-readonly", store, "PRAGMA integrity_check") },
      named: "sqlite3 integrity_check",
      times: setting.depth.times(setting.size >= 1_000_000 || setting.isSpared(from: 100_000) ? 1 : 5))
  }

  private func scroll() throws -> Finding {
    var ours = Measurement()
    let bench = try Program.own
    let store = try setting.store()
    guard !setting.isVast else {
      try Program(bench, "scroll", store, "--pages", "20000").run(into: &ours)
      return Finding(name: "a window scrolled over 20,000 pages and back", ours: ours)
    }
    try Program(bench, "scroll", store).run(into: &ours)
    return Finding(name: "a window scrolled over all messages and back", ours: ours)
  }
}
