internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import HistoryPublishing
internal import MessageModel
internal import MessagePostgres
internal import MessageStorage
internal import TerminalText

struct Publish: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "publish",
    abstract: "Publish messages to a PostgreSQL server, for many readers.",
    discussion: """
      Changes in the store are published when it is run again, or at once with --follow. If stopped, run it again to \
      continue. Commands that read take the same address as --store. Private data is not published: read marks, \
      stars, people, saved filters. docs/shared-archive.md describes tables, roles and how PostgreSQL's search \
      differs.

      Put a password into ~/.pgpass, $PGPASSFILE or a service file, as for psql; in an address it is refused.

      Examples:
        scrollback publish postgres://keeper@db.example.org/history
        scrollback publish --follow postgres:///history
        scrollback tail --store postgres://reader@db.example.org/history
        scrollback publish --schema | psql history
      """)

  @Argument(help: ArgumentHelp("The address of the server and its database.", valueName: "address"))
  var address: String?

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("The name of the store in the archive (that of its file).", valueName: "name"))
  var name: String?

  @Flag(name: [.short, .long], help: "Keep publishing changes, until Ctrl-C.")
  var follow = false

  @Flag(help: "Show what would be published, without publishing.")
  var dryRun = false

  @Flag(help: "Do not publish the search index: faster, but nothing can be searched there.")
  var noSearchIndex = false

  @Option(
    help: ArgumentHelp("Write the contents of attachments into this folder.", valueName: "dir"),
    completion: .directory)
  var attachments: String?

  @Flag(help: "Print the tables, for a database whose owner makes them.")
  var schema = false

  @OptionGroup var conversation: ConversationOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if schema, address != nil { throw ValidationError("--schema takes no address") }
    if dryRun, follow { throw ValidationError("--dry-run cannot be combined with --follow") }
  }

  func run(in shell: Shell) throws -> ExitStatus {
    let console = common.console(in: shell)
    if schema {
      console.write(ArchiveSchema.sql)
      console.flush()
      return .done
    }
    guard let address else {
      throw UsageError("publish needs an address", remedy: "scrollback publish postgres://HOST/DATABASE")
    }
    let place = try PostgresAddress(address)
    let store = try SynchronousMessageStore(path: common.path(in: shell), options: .readOnly)
    defer { store.close() }
    if let attachments, !dryRun { try Self.makeFolder(attachments) }
    var settings = Publisher.Settings(
      address: place, name: name ?? place.store ?? Self.name(ofStoreAt: store.path))
    settings.conversations = try conversation.conversation.map {
      try ConversationChoice.named($0, in: store).id
    }
    settings.hasWords = !noSearchIndex
    settings.isDry = dryRun
    settings.attachments = attachments
    // With `--follow` the signal itself ends the process: it may come at any moment.
    if !follow { shell.listenForInterruption() }
    // Listen before reading, so that no change falls between.
    let changes = follow ? StoreChanges(of: store) : nil
    var publisher: Publisher? = try Publisher(store, settings)
    for warning in try publisher?.warnings() ?? [] { console.note(warning) }
    try report(publisher?.publish(progress: Self.progress(console)), settings, console)
    guard let changes else { return .done }
    while changes.wait() { try goOn(&publisher, store, settings, console) }
    return .done
  }

  /// Publishes changes; retries while the server is unreachable.
  private func goOn(
    _ publisher: inout Publisher?, _ store: SynchronousMessageStore, _ settings: Publisher.Settings,
    _ console: Console
  ) throws {
    try PatientWork.run(console) { () throws(StoreError) in
      do throws(StoreError) {
        if publisher == nil { publisher = try Publisher(store, settings) }
        let outcome = try publisher?.publish()
        if let outcome, !outcome.isEmpty { report(outcome, settings, console) }
      } catch {
        publisher = nil
        throw error
      }
    }
  }

  private func report(_ outcome: PublishOutcome?, _ settings: Publisher.Settings, _ console: Console) {
    guard let outcome else { return }
    let parts = [
      (outcome.inserted, "new"), (outcome.changed, "changed"), (outcome.deleted, "deleted"),
    ].filter { $0.0 > 0 }.map { "\(NumberText.grouped($0.0)) \($0.1)" }
    let name = VisibleText.of(settings.name, keepsTabs: false)
    let done = dryRun ? "would publish" : "published"
    console.note(
      parts.isEmpty
        ? "nothing to publish: '\(name)' is up to date"
        : "\(done) '\(name)': \(parts.joined(separator: ", "))")
    if outcome.replaced > 0 {
      console.note(
        "\(NumberText.counted(outcome.replaced, "character")) U+0000, which PostgreSQL cannot hold, became ␀")
    }
    if outcome.attachments > 0 {
      console.note(
        "\(dryRun ? "would write" : "wrote") \(NumberText.counted(outcome.attachments, "attachment"))")
    }
    for renamed in outcome.renamedThere {
      console.note(
        "a conversation was renamed in the archive, and keeps its name '\(VisibleText.of(renamed))'")
    }
  }

  private static func progress(_ console: Console) -> (Int) -> Bool {
    var meter = ProgressMeter(console)
    return { count in
      meter.show("\(NumberText.counted(count, "message")) looked at")
      if Interruption.isAskedFor { meter.clear() }
      return !Interruption.isAskedFor
    }
  }

  private static func makeFolder(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw UsageError(
        "cannot make the folder '\(VisibleText.of(path))'", cause: error.localizedDescription,
        status: .inputOutput)
    }
  }

  private static func name(ofStoreAt path: String) -> String {
    let file = path.split(separator: "/").last.map { String($0) } ?? path
    guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return file }
    return String(file[..<dot])
  }
}
