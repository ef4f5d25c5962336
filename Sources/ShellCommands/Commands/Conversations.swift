internal import ArgumentParser
internal import HistoryQueries
internal import MessageModel
internal import MessageShell
internal import MessageStorage
internal import TerminalText

struct Conversations: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conversations",
    abstract: "List the conversations: name, messages, first and last.",
    subcommands: [List.self, Rename.self, Merge.self, Delete.self], defaultSubcommand: List.self)

  struct List: ShellCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the conversations: name, messages, first, last, senders.",
      discussion: """
        Examples:
          scrollback conversations
          scrollback conversations --by month -c general
        """)

    @Flag(help: "Print JSON, an object a line.")
    var json = false

    @Option(help: ArgumentHelp("List days or months with their messages.", valueName: "day|month"))
    var by: Span?

    @OptionGroup var conversation: ConversationOption
    @OptionGroup var common: CommonOptions

    enum Span: String, ExpressibleByArgument, CaseIterable {
      case day, month
      var section: HistorySection.Span { self == .day ? .day : .month }
    }

    func run(in shell: Shell) throws -> ExitStatus {
      let store = try SynchronousMessageStore(path: common.path(in: shell), options: .reading)
      defer { store.close() }
      let console = common.console(in: shell)
      let (queries, zone) = (HistoryQueries(store, me: shell.userName), try common.zone(in: shell))
      if let by {
        for choice in try chosen(in: store) {
          let days = try queries.days(of: choice, by: by.section, zone: zone).days
          if json { try console.write(answers: days) } else { console.write(DayTable.text(of: days)) }
        }
      } else {
        let all = try queries.conversations().conversations
        if json {
          try console.write(answers: all)
        } else {
          let table = ConversationTable(timeZone: zone)
          console.write(styled: table.text(of: all, encoder: console.encoder))
        }
      }
      console.flush()
      return .done
    }

    /// The conversations that were named; `nil` for all taken together.
    private func chosen(in store: SynchronousMessageStore) throws -> [Conversation?] {
      guard !conversation.all, !conversation.conversation.isEmpty else { return [nil] }
      return try conversation.conversation.map { try ConversationChoice.named($0, in: store) }
    }
  }

  struct Rename: ShellCommand {
    static let configuration = CommandConfiguration(
      commandName: "rename",
      abstract: "Give a conversation another name.",
      discussion: "An import that names it as it was still finds it.")

    @Argument(help: "Its name.") var old: String
    @Argument(help: "Its new name.") var new: String
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      let store = try common.writableStore(in: shell)
      defer { store.close() }
      try RearrangingCommands.rename(old, to: new, store)
      return .done
    }
  }

  struct Merge: ShellCommand {
    static let configuration = CommandConfiguration(
      commandName: "merge",
      abstract: "Move all messages of a conversation into another.")

    @Argument(help: "The conversation that goes.") var from: String
    @Argument(help: "The one that stays.") var into: String
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      let store = try common.writableStore(in: shell)
      defer { store.close() }
      shell.listenForInterruption()
      try RearrangingCommands.merge(from, into: into, store, common.console(in: shell))
      return .done
    }
  }

  struct Delete: ShellCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: "Delete a conversation with all its messages.",
      discussion: "Importing its history again brings it back.")

    @Argument(help: "Its name.") var name: String
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      let store = try common.writableStore(in: shell)
      defer { store.close() }
      shell.listenForInterruption()
      try RearrangingCommands.delete(name, store, common.console(in: shell))
      return .done
    }
  }
}

/// `conversations rename`, `merge` and `delete`.
enum RearrangingCommands {
  /// Gives a conversation another name.
  static func rename(_ old: String, to new: String, _ store: SynchronousMessageStore) throws {
    try store.renameConversation(try ConversationChoice.named(old, in: store).id, to: new)
  }

  /// Moves all messages of a conversation into another.
  static func merge(
    _ from: String, into target: String, _ store: SynchronousMessageStore, _ console: Console
  ) throws {
    let source = try ConversationChoice.named(from, in: store)
    let target = try ConversationChoice.named(target, in: store)
    try LongWork.run(console) { progress in
      try store.mergeConversation(source.id, into: target.id, progress: progress)
    }
    let moved = NumberText.counted(source.messageCount, "message")
    console.note("moved \(moved) into '\(VisibleText.of(target.name))'")
  }

  /// Deletes a conversation with all its messages.
  static func delete(_ name: String, _ store: SynchronousMessageStore, _ console: Console) throws {
    let conversation = try ConversationChoice.named(name, in: store)
    try LongWork.run(console) { progress in
      try store.deleteConversation(conversation.id, progress: progress)
    }
    let deleted = NumberText.counted(conversation.messageCount, "message")
    console.note("deleted '\(VisibleText.of(name))' with \(deleted)")
  }
}
