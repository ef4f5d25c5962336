extension TortureCommand {
  /// All commands that write.
  static let all = appending + changing + loading + conversations + files

  private static let appending = [
    TortureCommand(name: "append") { _ in ["append", "-c", "general", "--from", "dora", "one more line"] },
    TortureCommand(name: "append-new", template: .none, isAtomic: false) { _ in
      ["append", "-c", "notes", "--create", "the first line"]
    },
    TortureCommand(
      name: "append-lines", isAtomic: false,
      arguments: { _ in ["append", "-c", "general", "--from", "dora"] },
      input: { _ in lines.joined() },
      rest: { _, state in
        lines.filter { line in !state.messages.contains { $0.contains("\"\(line.dropLast())\"") } }.joined()
      }),
    TortureCommand(
      name: "append-ack", isAtomic: false,
      arguments: { _ in ["append", "--ack", "-c", "general", "--from", "dora"] },
      input: { _ in lines.joined() }, acknowledged: lines.map { String($0.dropLast()) },
      rest: { _, state in
        lines.filter { line in !state.messages.contains { $0.contains("\"\(line.dropLast())\"") } }.joined()
      }),
  ]

  private static let lines = (1...9).map { "line \($0) of a stream\n" }

  private static let changing = [
    TortureCommand(name: "edit") { ["edit", $0.ids[0], "now it says something else"] },
    TortureCommand(name: "delete") { ["delete", $0.ids[1], $0.ids[2]] },
    TortureCommand(name: "attach") { ["attach", $0.ids[3], $0.input("large.bin"), $0.input("small.bin")] },
    TortureCommand(name: "filter") { _ in ["filters", "save", "harbours", "--matching", "harbour -gull"] },
    TortureCommand(name: "filter-delete") { _ in ["filters", "delete", "teatime"] },
    TortureCommand(name: "alias") { _ in ["senders", "alias", "bob", "alice"] },
    TortureCommand(
      name: "repl", isAtomic: false, repetition: .never, arguments: { _ in ["-c", "general"] },
      input: { arena in
        let ids = arena.ids
        return """
          /react #\(ids[0]) 🐚
          /top
          /mark quay
          /edit #\(ids[1]) edited by a script
          /reply #\(ids[2]) an answer by a script
          /filter gull
          /filter save gulls
          /filter
          /edit #\(ids[3]) edited, too

          """
      }),
  ]

  private static let loading = [
    TortureCommand(name: "import", isAtomic: false, repetition: .always) {
      ["import", "--quiet", $0.input("more.jsonl")]
    },
    TortureCommand(name: "import-new", template: .none, isAtomic: false, repetition: .always) {
      ["import", "--quiet", $0.input("history.jsonl")]
    },
    TortureCommand(name: "import-files", isAtomic: false, takesFiles: true, repetition: .always) {
      ["import", "--quiet", $0.input("attached.jsonl")]
    },
    TortureCommand(name: "undo", isAtomic: false) { _ in ["undo", "1", "--yes"] },
  ]

  private static let conversations = [
    TortureCommand(name: "rename") { _ in ["conversations", "rename", "random", "chance"] },
    TortureCommand(name: "merge", isAtomic: false) { _ in
      ["conversations", "merge", "old", "general", "--yes"]
    },
    TortureCommand(name: "delete-conversation", isAtomic: false) { _ in
      ["conversations", "delete", "old", "--yes"]
    },
  ]

  private static let files = [
    TortureCommand(name: "backup", product: "backup.db") { ["backup", $0.diskFolder + "/backup.db"] },
    TortureCommand(name: "restore", repetition: .always) {
      ["restore", "--yes", $0.diskFolder + "/copy.db"]
    },
    TortureCommand(name: "compact", repetition: .always) { _ in ["compact"] },
    TortureCommand(name: "compact-secure", repetition: .always) { _ in ["compact", "--secure"] },
    TortureCommand(name: "repair", template: .miscounted, repetition: .always, startsUnsound: true) { _ in
      ["check", "--repair"]
    },
    TortureCommand(name: "migrate", template: .inline, repetition: .always) { _ in ["migrate", "--no-backup"]
    },
    TortureCommand(name: "export", repetition: .always, product: "history.jsonl") {
      ["export", "-o", $0.diskFolder + "/history.jsonl", "--attachments", $0.diskFolder + "/saved"]
    },
  ]

  /// The commands of which transactions follow each other, on two conversations that are large enough for that.
  static let inSteps = [
    inRooms("merge") { _ in ["conversations", "merge", "a", "b", "--yes"] },
    inRooms("delete") { _ in ["conversations", "delete", "a", "--yes"] },
    inRooms("rename") { _ in ["conversations", "rename", "a", "c"] },
    inRooms("undo") { _ in ["undo", "1", "--yes"] },
    inRooms("import", .always) { ["import", "--quiet", $0.input("a.jsonl"), $0.input("b.jsonl")] },
    inRooms("people-link", .always) { _ in ["people", "link", "Ann", "alice", "bob"] },
    inRooms("people-unlink") { _ in ["people", "unlink", "Carol"] },
    inRooms("people-undo") { _ in ["people", "undo"] },
    inRooms("filters-save", .always) { _ in ["filters", "save", "sevens", "--regex", "7"] },
    inRooms("filters-delete") { _ in ["filters", "delete", "threes"] },
    inRooms("compact", .always) { _ in ["compact"] },
    inRooms("compact-secure", .always) { _ in ["compact", "--secure"] },
    inRooms("repair", .always) { _ in ["check", "--repair"] },
    inRooms("restore", .always) { ["restore", "--yes", $0.diskFolder + "/copy.db"] },
    inRooms("migrate", .always) { _ in ["migrate", "--no-backup"] },
  ]

  private static func inRooms(
    _ name: String, _ repetition: Repetition = .untilDone,
    _ arguments: @escaping @Sendable (Arena) -> [String]
  ) -> TortureCommand {
    TortureCommand(
      name: name, template: .rooms, isAtomic: false, repetition: repetition, arguments: arguments)
  }
}
