internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import HistoryModel
internal import HistoryTransfer
internal import MessageInterchange
internal import MessageModel
internal import MessagePictures
internal import MessageStorage

struct Follow: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "follow",
    abstract: "Import histories, and then what is added to them, until stopped.",
    discussion: """
      Follows growing logs and transcripts, folders with new files, and databases of other programs; all of these \
      are only read. Named paths are remembered (`scrollback sources` lists them), and all of them are followed if \
      none is named. Ctrl-C or SIGTERM ends it; the next run continues from there.

      Examples:
        scrollback follow --me Ann ~/.claude/projects
        scrollback follow ~/.weechat/logs ~/inbox
        scrollback follow
        scrollback follow --once
        scrollback follow --systemd >~/.config/systemd/user/scrollback-follow.service
      """)

  @Argument(
    help: ArgumentHelp("Files or folders (default: all remembered ones).", valueName: "path"),
    completion: .file())
  var paths: [String] = []

  @Flag(help: "Import what is there now, and end.")
  var once = false

  @Flag(help: "Print a unit with which systemd follows all sources for you.")
  var systemd = false

  @Flag(help: "Print a property list with which launchd follows all sources for you.")
  var launchd = false

  @Option(
    help: ArgumentHelp(
      "Give each message that comes in later to this command, as a line of JSON.", valueName: "command"))
  var exec: String?

  @OptionGroup var reading: ReadingOptions
  @OptionGroup var json: JSONOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if systemd, launchd { throw ValidationError("--systemd or --launchd") }
    if exec != nil, once || systemd || launchd {
      throw ValidationError("--exec cannot be combined with --once, --systemd or --launchd")
    }
    if systemd || launchd, !paths.isEmpty {
      throw ValidationError("the service follows all sources: `scrollback sources add` remembers one")
    }
    if paths.isEmpty, !SourceSettings(reading, zone: nil).values.isEmpty {
      throw ValidationError("options apply to the sources named with them: name a source")
    }
  }

  func run(in shell: Shell) throws -> ExitStatus {
    let console = common.console(in: shell)
    if systemd || launchd {
      let service = FollowService(store: try common.path(in: shell))
      console.write(systemd ? service.unit : service.propertyList)
      console.flush()
      return .done
    }
    shell.prepareForImport()
    let store = try common.storeOfSources(paths, in: shell)
    defer { store.close() }
    let named = try common.add(paths, reading, to: store, in: shell)
    let command = FollowCommand(
      store: store, named: Set(named.map(\.id)), isOnce: once, isJSON: json.json, exec: exec)
    return try command.run(console, in: shell)
  }
}

/// Passes to `--exec` the messages that arrive after the first round has caught up.
private struct ArrivedMessages {
  private let store: SynchronousMessageStore
  private let command: MessageCommand
  private var edges: NewestEdges?
  private var lines: JSONRecords?
  private var addedCount = 0

  init(in store: SynchronousMessageStore, for command: String, _ console: Console) {
    self.store = store
    self.command = MessageCommand(command) { console.complain("scrollback: \($0)") }
  }

  mutating func look(addedCount count: Int, isCaughtUp: Bool) throws {
    if let failure = command.failure { throw failure }
    defer { addedCount = count }
    guard edges != nil else {
      guard isCaughtUp else { return }
      lines = try JSONRecords(store)
      edges = try NewestEdges(Selection(.all), in: store)
      return
    }
    guard count != addedCount, let records = try edges?.read() else { return }
    command.give(try lines?.bytes(of: records) ?? [])
  }

  func finish() { command.finish() }
}

struct FollowCommand {
  let store: SynchronousMessageStore
  /// The followed sources; empty for all.
  let named: Set<StoredSource.ID>
  let isOnce: Bool
  let isJSON: Bool
  var exec: String?

  /// The interval in which sources added or removed by other processes are noticed, in seconds.
  private static let refreshing = 2.0

  func run(_ console: Console, in shell: Shell) throws -> ExitStatus {
    var sources = try sources(in: shell)
    guard !sources.isEmpty else {
      throw UsageError(
        "there is nothing to follow", cause: "no source is remembered",
        remedy: "scrollback follow ~/.claude/projects")
    }
    let display = FollowDisplay(console, isJSON: isJSON)
    let stop = try shell.stopSignals()
    Follower.openManyFiles()
    let follower = try Follower(
      sources, in: store, isOnce: isOnce, makingPicturesBy: PictureSupport.maker, words: \.typed
    ) { display.take($0) }
    defer { display.end() }
    var news = exec.map { ArrivedMessages(in: store, for: $0, console) }
    defer { news?.finish() }
    var refreshAt = FollowTiming.uptime() + Self.refreshing
    while stop?.received == nil {
      try follower.step { stop?.received != nil }
      if isOnce, follower.isCaughtUp { break }
      try news?.look(addedCount: display.addedCount, isCaughtUp: follower.isCaughtUp)
      display.show(sourceCount: sources.count, fileCount: follower.fileCount)
      let left = max(refreshAt - FollowTiming.uptime(), 0)
      StopSignals.wait(for: follower.descriptor, or: stop, atMost: min(follower.timeToNext(), left))
      guard FollowTiming.uptime() >= refreshAt else { continue }
      refreshAt = FollowTiming.uptime() + Self.refreshing
      try store.checkPlace()
      do {
        guard try remembered() != sources.map(\.source.followedAs) else { continue }
        let wanted = try self.sources(in: shell)
        try follower.follow(wanted)
        sources = wanted
      } catch let error as StoreError where error.mayPass {
        // The store may be available next time.
      }
    }
    try follower.writeDown()
    return isOnce && display.hasTrouble ? .incomplete : .done
  }

  private func remembered() throws -> [StoredSource.Following] {
    try store.sources().map(\.source).filter { named.isEmpty || named.contains($0.id) }.map(\.followedAs)
  }

  private func sources(in shell: Shell) throws -> [(source: StoredSource, options: ImportOptions)] {
    try store.sources().filter { named.isEmpty || named.contains($0.source.id) }
      .map { ($0.source, try SourceSettings($0.source).options(in: shell)) }
  }
}
