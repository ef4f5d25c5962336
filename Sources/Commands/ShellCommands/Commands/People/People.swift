internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import HistoryModel
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import TerminalText

struct People: ParsableCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "people",
    abstract: "List people, and link the accounts of each.",
    discussion: """
      A person is a set of accounts, over all conversations and platforms. An account is identified by its id on the \
      platform or, if it has none, by its name. Equal names alone never link accounts. Messages and exports stay as \
      they were written, and each change can be undone.

      Examples:
        scrollback people link Ann ann_ U024BE7LH
        scrollback people link --vcard contacts.vcf --country AT
        scrollback people suggest
        scrollback search person:ann tea
      """,
    subcommands: [
      List.self, Show.self, Link.self, Unlink.self, Rename.self, Suggest.self, Log.self, Undo.self,
    ], defaultSubcommand: List.self)

  struct List: ShellCommand {
    static let configuration = CommandConfiguration.ofShell(
      commandName: "list", abstract: "List people: name, messages, accounts.",
      discussion: """
        Example:
          scrollback people
        """)

    @OptionGroup var pager: PagerOption
    @OptionGroup var json: JSONOption
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      let note = "nobody is linked yet: scrollback people link NAME ACCOUNT …; people suggest shows whom"
      return try common.list(in: shell, as: json, by: pager, otherwise: note) { store in
        try QuestionAnswerer(store).people().people
      } table: {
        PeopleTable.table(of: $0, $1)
      }
    }
  }

  struct Show: ShellCommand {
    static let configuration = CommandConfiguration.ofShell(
      commandName: "show", abstract: "Show the accounts of a person: name, messages, id, other names.",
      discussion: """
        Example:
          scrollback people show Ann
        """)

    @Argument(help: "The name of the person.", completion: ValueCompletions.people) var person: String
    @OptionGroup var pager: PagerOption
    @OptionGroup var json: JSONOption
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      try common.list(in: shell, as: json, by: pager) { store in
        [PersonAnswer(try store.person(named: person))]
      } table: {
        PeopleTable.accounts(of: $0[0], $1)
      }
    }
  }

  struct Rename: ShellCommand {
    static let configuration = CommandConfiguration.ofShell(
      commandName: "rename", abstract: "Give a person another name.",
      discussion: """
        Example:
          scrollback people rename Ann "Ann Smith"
        """)

    @Argument(help: "The name of the person.", completion: ValueCompletions.people) var person: String
    @Argument(help: "The alias.") var name: String
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      try common.changePeople(in: shell) { store in
        try store.renamePerson(try store.person(named: person).id, to: name)
      }
    }
  }

  struct Log: ShellCommand {
    static let configuration = CommandConfiguration.ofShell(
      commandName: "log", abstract: "List the last changes of people: number, when, what.",
      discussion: """
        Example:
          scrollback people log
        """)

    @OptionGroup var pager: PagerOption
    @OptionGroup var json: JSONOption
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      let zone = try common.zone(in: shell)
      return try common.list(in: shell, as: json, by: pager, otherwise: "no people were linked yet") {
        store in
        try store.peopleEntries().map { PeopleChangeAnswer($0) }
      } table: {
        PeopleTable.table(of: $0, zone: zone, $1)
      }
    }
  }

  struct Undo: ShellCommand {
    static let configuration = CommandConfiguration.ofShell(
      commandName: "undo", abstract: "Undo a change of people: the last one, or one by its number.",
      discussion: """
        Restores the state before it, whatever happened to conversations and messages since. If a later change \
        builds on it, undo that one first.

        Examples:
          scrollback people undo
          scrollback people undo 12
        """)

    @Argument(help: ArgumentHelp("The number, as `people log` lists it (the last one).", valueName: "change"))
    var change: Int64?
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      try common.change(in: shell) { store, console in
        let answer = PeopleChangeAnswer(try store.undoPeople(change))
        console.note("undone: \(PeopleTable.sentence(of: answer)) · change \(answer.change)")
      }
    }
  }
}

extension CommonOptions {
  func changePeople(
    in shell: Shell, _ change: (SynchronousMessageStore) throws -> PersonEntry?
  ) throws -> ExitStatus {
    try self.change(in: shell) { store, console in
      guard let entry = try change(store) else { return console.note("nothing to change") }
      let answer = PeopleChangeAnswer(entry)
      console.note("\(PeopleTable.sentence(of: answer)) · change \(answer.change)")
    }
  }
}

enum PeopleTable {
  static func table(of people: [PersonAnswer], _ layout: TableLayout) -> String {
    let rows = people.map { person in
      [
        VisibleText.of(person.name), NumberText.grouped(person.messages),
        NumberText.counted(person.accountCount, "account"),
        person.accounts.prefix(20).map { label($0) }.joined(separator: ", "),
      ]
    }
    return TextTable.text(rows, alignsRight: [1, 2], layout: layout, cutting: [3, 0], leavingOut: [2])
  }

  static func accounts(of person: PersonAnswer, _ layout: TableLayout) -> String {
    let rows = person.accounts.map { account in
      [
        VisibleText.of(account.name), NumberText.grouped(account.messages),
        VisibleText.of(account.senderID ?? ""),
        account.otherNames.map { "also " + $0.map { VisibleText.of($0) }.joined(separator: ", ") } ?? "",
      ]
    }
    let rest = person.accountCount - person.accounts.count
    let end = rest > 0 ? [["and \(NumberText.counted(rest, "more account"))", "", "", ""]] : []
    return TextTable.text(rows + end, alignsRight: [1], layout: layout, cutting: [3, 0])
  }

  static func text(of suggestions: [PersonSuggestionAnswer]) -> String {
    suggestions.map { one in
      let head = one.known ? "\(VisibleText.of(one.person)) (has accounts)" : VisibleText.of(one.person)
      let accounts = one.accounts.map { "  \(label($0)) · \(NumberText.counted($0.messages, "message"))\n" }
      return head + "\n" + accounts.joined() + "  because: "
        + one.reasons.map { VisibleText.of($0) }.joined(separator: ", ") + "\n"
    }.joined()
  }

  static func table(of changes: [PeopleChangeAnswer], zone: TimeZone, _ layout: TableLayout) -> String {
    var clock = WallClock(zone: zone)
    let rows = changes.map { change in
      [
        String(change.change), DateText.dateAndTime(clock.civil(at: change.time), precision: .minute),
        sentence(of: change), change.undone ? "(undone)" : "",
      ]
    }
    return TextTable.text(rows, alignsRight: [0], layout: layout, cutting: [2])
  }

  static func sentence(of change: PeopleChangeAnswer) -> String {
    let told = change.what.prefix(3).map { VisibleText.of($0) }.joined(separator: ", ")
    let rest = change.count - min(change.what.count, 3)
    return rest > 0 ? "\(told) and \(NumberText.grouped(rest)) more" : told
  }

  private static func label(_ account: AccountAnswer) -> String {
    let name = VisibleText.of(account.name)
    guard let id = account.senderID, id != account.name else { return name }
    return "\(name) (\(VisibleText.of(id)))"
  }
}
