internal import ArgumentParser
internal import CMalloc
internal import Foundation
internal import MessageModel
internal import MessagePictures
internal import MessageShell
internal import MessageStorage

/// The command `scrollback` and its subcommands.
@main
struct Scrollback: ParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "scrollback",
    abstract: "Keeps whole chat histories in one file and scrolls them as if all were in memory.",
    discussion: """
      Examples:
        scrollback import logs.tar.xz          take in a history
        scrollback                             read it
        scrollback -c general                  read one conversation
        scrollback export --format jsonl       write everything out again
        tail -f bot.log | scrollback append -c bots --from bot
      """,
    version: version,
    subcommands: [
      Open.self, Import.self, Imports.self, Undo.self, Export.self, Append.self, Tail.self, Search.self,
      Show.self, Edit.self, Delete.self, Attach.self, Save.self, Migrate.self, Conversations.self,
      Senders.self, Filters.self, Stats.self, Check.self, Compact.self, Backup.self, Restore.self,
      Completions.self,
    ],
    defaultSubcommand: Open.self)

  /// Runs the command line, and turns errors into the exit codes that the README lists.
  @MainActor static func main() async {
    cmalloc_configure()
    Interruption.removeLeftovers()
    Interruption.surviveFileLimit()
    if let maker = PictureSupport.maker { PictureMaking.use(maker) }
    let arguments = ArgumentOrder.normalized(
      Array(CommandLine.arguments.dropFirst()), subcommands: CommandNames.all)
    do {
      try TypedBytes.check()
      var command = try CommandNames.parsed(arguments) ?? parseAsRoot(arguments)
      if let lasting = command as? any LastingCommand {
        try await lasting.carryOut()
      } else {
        try command.run()
      }
    } catch let status as ExitCode {
      Foundation.exit(status.rawValue)
    } catch let error as any ExplainedError {
      Console().complain("scrollback: \(error.description)")
      Foundation.exit(ExitStatus(error).rawValue)
    } catch {
      if exitCode(for: error) == .validationFailure, let mistake = CommandNames.mistake(in: arguments) {
        Console().complain("scrollback: \(mistake.description)")
        Foundation.exit(mistake.status.rawValue)
      }
      end(with: error)
    }
  }

  /// Prints the help that was asked for, or what cannot be understood, and ends.
  ///
  /// ArgumentParser would write its sentences as they are, whatever is in the arguments, and take help that finds no room
  /// for printed.
  private static func end(with error: any Error) -> Never {
    let code = exitCode(for: error)
    let text = fullMessage(for: error)
    let console = Console()
    if code.isSuccess {
      if !text.isEmpty { console.write(text + "\n") }
      console.flush()
    } else if !text.isEmpty {
      console.complain(text)
    }
    Foundation.exit(code.rawValue)
  }
}

/// A command that may wait for what others do.
///
/// It runs where the program begins: an asynchronous command of ArgumentParser would have other threads started for it.
protocol LastingCommand: ParsableCommand {
  @MainActor func carryOut() async throws
}

/// Options that mean the same everywhere.
struct CommonOptions: ParsableArguments {
  @Option(name: [.short, .long], help: ArgumentHelp("The store.", valueName: "path"))
  var store: String?

  @Flag(name: [.short, .long], help: "Print no progress and no summary.")
  var quiet = false

  @Option(help: ArgumentHelp("The zone of the times shown.", valueName: "zone"))
  var timeZone: String?

  @Option(help: ArgumentHelp("When to use colours: auto, always or never.", valueName: "when"))
  var color = ColorOption.auto

  /// Where the command writes.
  func console() -> Console {
    Console(isQuiet: quiet, color: color.choice, environment: ProcessInfo.processInfo.environment)
  }

  var path: String { StoreLocation.path(option: store) }

  /// Opens the store to be written to, and says so if others can read it.
  func writableStore(_ options: StoreOptions = StoreOptions(access: .readWrite)) throws -> MessageStore {
    let store = try MessageStore(path: path, options: options)
    if let exposure = store.exposure { console().note(exposure) }
    return store
  }

  /// The zone asked for, else this computer's.
  func zone() throws -> TimeZone {
    guard let timeZone else { return .current }
    if let zone = TimeZone(named: timeZone) { return zone }
    throw UsageError(
      "no time zone is called '\(VisibleText.of(timeZone))'",
      remedy: "a name like Europe/Berlin, UTC or +05:30")
  }
}

/// Which conversation.
struct ConversationOption: ParsableArguments {
  @Option(name: [.short, .long], help: ArgumentHelp("The conversation.", valueName: "name"))
  var conversation: [String] = []

  @Flag(help: "All conversations.")
  var all = false

  /// What was chosen, else what the command means without it.
  func choice(otherwise: ConversationChoice) -> ConversationChoice {
    if all { return .all }
    return conversation.isEmpty ? otherwise : .named(conversation)
  }
}

extension ExitStatus {
  /// Ends the command with this status, unless all went well.
  func leave() throws {
    if self != .done { throw ExitCode(rawValue) }
  }
}
