internal import ArgumentParser
internal import ChatSession
internal import HistoryModel
internal import HistoryQueries
internal import MessageModel
internal import MessagePeople
internal import MessageStorage
internal import TerminalText

extension People {
  struct Link: ShellCommand {
    static let configuration = CommandConfiguration.ofShell(
      commandName: "link", abstract: "Link accounts to a person, by hand or from a vCard file.",
      discussion: """
        An account is named by its id on the platform, or by a name that only one account has. The person is created if there \
        is none yet; `me` is you.

        From a vCard file (versions 2.1, 3.0 and 4.0), an account is linked to the entry that has its name or id as \
        a number or mail address. Numbers are compared by E.164; --country completes numbers without a country. \
        Broken entries are reported by line and skipped.

        Examples:
          scrollback people link Ann ann_ U024BE7LH
          scrollback people link me robin
          scrollback people link --vcard contacts.vcf --country AT
        """)

    @Argument(help: "The name of the person.", completion: ValueCompletions.people) var person: String?
    @Argument(help: "Ids or names of accounts.", completion: ValueCompletions.senders) var accounts:
      [String] = []

    @Option(help: ArgumentHelp("Link what an address book says.", valueName: "file"), completion: .file())
    var vcard: String?

    @OptionGroup var country: CountryOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard vcard == nil else {
        guard person == nil else { throw ValidationError("--vcard takes no name of a person") }
        return
      }
      guard person != nil, !accounts.isEmpty else {
        throw ValidationError("name a person and accounts, or a file with --vcard")
      }
    }

    func run(in shell: Shell) throws -> ExitStatus {
      if let vcard { return try linkCards(at: PathText.expanded(vcard), in: shell) }
      return try common.changePeople(in: shell) { store in
        let found = try store.accounts(called: accounts)
        return try store.linkAccounts(found, to: person ?? "")
      }
    }

    private func linkCards(at path: String, in shell: Shell) throws -> ExitStatus {
      let code = try country.code()
      let store = try common.writableStore(in: shell)
      defer { store.close() }
      let console = common.console(in: shell)
      shell.listenForInterruption()
      let found = try ContactLinks(ofCardsAt: path, in: store, country: code) { Interruption.isAskedFor }
      let entry = try store.linkAccounts(found.links)
      for problem in found.problems {
        console.complain(
          "\(VisibleText.of(PathBytes.shown(path))):\(problem.line): \(problem.reason); skipped")
      }
      if found.problemCount > found.problems.count {
        console.complain("and \(NumberText.grouped(found.problemCount - found.problems.count)) more")
      }
      let change = entry.map { " · change \($0.id)" } ?? ""
      console.note(
        """
        \(NumberText.counted(found.cardCount, "entry", plural: "entries")): linked \
        \(NumberText.counted(entry?.links.count ?? 0, "account")), \
        \(NumberText.grouped(found.strangerCount)) without an account here\(change)
        """)
      return found.problemCount > 0 ? .incomplete : .done
    }
  }

  struct Unlink: ShellCommand {
    static let configuration = CommandConfiguration.ofShell(
      commandName: "unlink", abstract: "Unlink accounts from a person; without accounts, remove the person.",
      discussion: """
        Messages stay as they are.

        Examples:
          scrollback people unlink Ann U024BE7LH
          scrollback people unlink Ann
        """)

    @Argument(help: "The name of the person.", completion: ValueCompletions.people) var person: String
    @Argument(help: "Ids or names of accounts (all, and the person).", completion: ValueCompletions.senders)
    var accounts: [String] = []
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      try common.changePeople(in: shell) { store in
        let found = try store.person(named: person)
        if accounts.isEmpty { return try store.removePerson(found.id) }
        return try store.unlinkAccounts(try accounts.map { try Self.account($0, of: found) })
      }
    }

    private static func account(_ text: String, of person: Person) throws -> SenderAccount {
      let accounts = person.accounts
      if let exact = accounts.first(where: { [$0.account.text, $0.account.typed].contains(text) }) {
        return exact.account
      }
      let named = accounts.filter { $0.senders.contains { $0.sender.name.lowercased() == text.lowercased() } }
      if named.count == 1 { return named[0].account }
      throw UsageError(
        named.isEmpty
          ? "'\(VisibleText.of(text))' is not an account of '\(VisibleText.of(person.name))'"
          : "\(named.count) accounts of '\(VisibleText.of(person.name))' are named '\(VisibleText.of(text))'",
        remedy: "scrollback people show \(ShellWord.quoted(person.name)), which shows their ids")
    }
  }

  struct Suggest: ShellCommand {
    static let configuration = CommandConfiguration.ofShell(
      commandName: "suggest",
      abstract: "Show which accounts may be one person's, and why; link those you accept.",
      discussion: """
        Reasons are the same telephone number or mail address, and a name that is another's id. Equal full names are shown \
        beside these, and are never a reason alone.

        Examples:
          scrollback people suggest --country AT
          scrollback people suggest --country AT --accept "Ann Smith"
        """)

    @Option(
      parsing: .unconditionalSingleValue,
      help: ArgumentHelp(
        "Link what is suggested for this person; may be given several times.", valueName: "name"))
    var accept: [String] = []
    @Flag(help: "Link all that is suggested.") var acceptAll = false
    @OptionGroup var country: CountryOption
    @OptionGroup var pager: PagerOption
    @OptionGroup var json: JSONOption
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      let code = try country.code()
      guard acceptAll || !accept.isEmpty else {
        let note = "nothing is suggested: no accounts share a number or address, no name is another's id"
        return try common.list(in: shell, as: json, by: pager, otherwise: note) { store in
          try store.suggestedPeople(country: code).map { PersonSuggestionAnswer($0) }
        } table: { suggestions, _ in
          PeopleTable.text(of: suggestions)
        }
      }
      return try common.changePeople(in: shell) { store in
        let found = try store.suggestedPeople(country: code)
        for name in accept where !found.contains(where: { $0.person == name }) {
          throw UsageError(
            "nothing is suggested for '\(VisibleText.of(name))'",
            remedy: Nearest.name(to: name, among: found.map(\.person)).map {
              "--accept \(ShellWord.quoted($0))"
            }
              ?? "scrollback people suggest")
        }
        let chosen = found.filter { acceptAll || accept.contains($0.person) }
        return try store.linkAccounts(chosen.map { PersonLink($0.news, to: $0.person) })
      }
    }
  }
}

struct CountryOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("The country of numbers that name none, as AT or +43.", valueName: "country"))
  var country: String?

  func code() throws -> CallingCode? {
    guard let country else { return nil }
    if let code = CallingCode(country) { return code }
    throw UsageError(
      "no country '\(VisibleText.of(country))'", remedy: "two letters as AT, or a calling code as +43")
  }
}
