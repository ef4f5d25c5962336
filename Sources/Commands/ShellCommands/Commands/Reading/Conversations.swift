internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import HistoryModel
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import TerminalText

struct Conversations: ParsableCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "conversations",
    abstract: "List the conversations: name, messages, first and last.",
    discussion: """
      Examples:
        scrollback conversations
        scrollback conversations --by month -c general
        scrollback conversations rename general lobby
      """,
    subcommands: [List.self, Rename.self, Merge.self, Delete.self], defaultSubcommand: List.self)

  struct List: ShellCommand {
    static let configuration = CommandConfiguration.ofShell(
      commandName: "list",
      abstract: "List the conversations: name, messages, first, last, senders, unread, newest message.",
      discussion: """
        Examples:
          scrollback conversations
          scrollback conversations --by month -c general
        """)

    @Option(help: ArgumentHelp("List days or months with their messages.", valueName: "day|month"))
    var by: Span?

    @OptionGroup var pager: PagerOption
    @OptionGroup var json: JSONOption
    @OptionGroup var conversation: ConversationOption
    @OptionGroup var common: CommonOptions

    enum Span: String, ExpressibleByArgument, CaseIterable {
      case day, month
      var section: HistorySection.Span { self == .day ? .day : .month }
    }

    func run(in shell: Shell) throws -> ExitStatus {
      if let archive = try common.archive(in: shell) { return try run(archive, in: shell) }
      let zone = try common.zone(in: shell)
      if let by { return try sections(by: by.section, zone: zone, in: shell) }
      return try common.list(in: shell, as: json, by: pager, otherwise: "there are no conversations yet") {
        store in
        try QuestionAnswerer(store, me: shell.userName)
          .conversations(countsUnread: true, wantsNewest: true).conversations
      } table: {
        ConversationTable(timeZone: zone).text(of: $0, layout: $1)
      }
    }

    private func sections(by span: HistorySection.Span, zone: TimeZone, in shell: Shell) throws -> ExitStatus
    {
      let store = try SynchronousMessageStore(path: common.path(in: shell), options: .readOnly)
      defer { store.close() }
      let console = pager.console(common, in: shell)
      for choice in try chosen(in: store) {
        let days = try QuestionAnswerer(store, me: shell.userName).days(of: choice, by: span, zone: zone).days
        if json.json { try console.write(answers: days) } else { console.write(DayTable.text(of: days)) }
      }
      console.flush()
      return .done
    }

    private func chosen(in store: SynchronousMessageStore) throws -> [Conversation?] {
      guard !conversation.all, !conversation.conversation.isEmpty else { return [nil] }
      return try conversation.conversation.map { try ConversationChoice.named($0, in: store) }
    }
  }

  struct Rename: ShellCommand {
    static let configuration = CommandConfiguration.ofShell(
      commandName: "rename",
      abstract: "Give a conversation another name.",
      discussion: """
        Imports that use the old name still find it.

        Example:
          scrollback conversations rename general lobby
        """)

    @Argument(help: "Its name.", completion: ValueCompletions.conversations) var old: String
    @Argument(help: "Its new name.") var new: String
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      try common.change(in: shell) { store, _ in
        try store.renameConversation(try ConversationChoice.named(old, in: store).id, to: new)
      }
    }
  }

  struct Merge: ShellCommand {
    static let configuration = CommandConfiguration.ofShell(
      commandName: "merge",
      abstract: "Move all messages of a conversation into another.",
      discussion: """
        This cannot be undone, except by a backup: the store does not keep which of the two a message came from. Messages \
        keep their ids. An import that names the removed conversation finds its messages in the other. On a terminal you are asked first.

        Example:
          scrollback conversations merge general-old general
        """)

    @Argument(
      help: "The conversation to move from; it is removed.", completion: ValueCompletions.conversations)
    var from: String
    @Argument(help: "The conversation to move into.", completion: ValueCompletions.conversations) var into:
      String
    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      try common.change(in: shell) { store, console in
        if try Self.isPart(from, of: into, in: store) {
          return console.note("'\(VisibleText.of(from))' is part of '\(VisibleText.of(into))' already")
        }
        let source = try ConversationChoice.named(from, in: store)
        let target = try ConversationChoice.named(into, in: store)
        if source.id != target.id {
          try confirmation.ask(Self.plan(source, target), in: shell, console)
        }
        shell.listenForInterruption()
        try LongWork.run(console) { progress in
          try store.mergeConversation(source.id, into: target.id, progress: progress)
        }
        let moved = NumberText.counted(source.messageCount, "message")
        console.note("moved \(moved) into '\(VisibleText.of(target.name))'")
      }
    }

    /// Whether the merge is already done, for example because an import completed it.
    private static func isPart(_ from: String, of into: String, in store: SynchronousMessageStore) throws
      -> Bool
    {
      guard try store.conversation(named: from) == nil, let target = try store.conversation(named: into)
      else {
        return false
      }
      return try store.conversation(importedAs: from)?.id == target.id
    }

    private static func plan(_ source: Conversation, _ target: Conversation) -> [String] {
      let moved = NumberText.counted(source.messageCount, "message")
      let there = NumberText.counted(target.messageCount, "message")
      return [
        "This moves \(moved) of '\(VisibleText.of(source.name))' into '\(VisibleText.of(target.name))', "
          + "which has \(there).",
        "This cannot be undone: the store does not keep which of the two a message came from. Only a backup does.",
      ]
    }
  }

  struct Delete: ShellCommand {
    static let configuration = CommandConfiguration.ofShell(
      commandName: "delete",
      abstract: "Delete a conversation with all its messages.",
      discussion: """
        Importing its history again restores the imported messages. Only a backup restores the rest: messages \
        written here; edits, reactions and files added here; how far you had read. On a terminal you are asked \
        first. Deleted text may stay in unused parts of the store until `scrollback compact --secure`.

        Example:
          scrollback conversations delete general-old
        """)

    @Argument(help: "Its name.", completion: ValueCompletions.conversations) var name: String
    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      try common.change(in: shell) { store, console in
        let conversation = try ConversationChoice.named(name, in: store)
        try confirmation.ask(try Self.plan(conversation, in: store), in: shell, console)
        shell.listenForInterruption()
        try LongWork.run(console) { progress in
          try store.deleteConversation(conversation.id, progress: progress)
        }
        let deleted = NumberText.counted(conversation.messageCount, "message")
        console.note("deleted '\(VisibleText.of(name))' with \(deleted)")
      }
    }

    private static func plan(_ conversation: Conversation, in store: SynchronousMessageStore) throws
      -> [String]
    {
      let own = try store.countWrittenHere(in: conversation.id)
      let all = NumberText.counted(conversation.messageCount, "message")
      return [
        "This deletes '\(VisibleText.of(conversation.name))' with \(all), "
          + "\(NumberText.grouped(own)) of them written here.",
        "Importing its history again brings back only imported messages.",
      ]
    }
  }
}
