internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import MessageModel
internal import MessageStorage
internal import TerminalText

struct Sync: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "sync",
    abstract: "Sync this store with one on another computer, over ssh.",
    discussion: """
      The store that changed since the last sync replaces the other, after a check, as `scrollback restore` does. A \
      missing store is made. If both changed, nothing is done: docs/operations.md ("Two stores of one person") has \
      the four lines that join them.

      Both computers need scrollback and rsync, which sends only what differs. Read positions come from the store \
      that changed.

      Examples:
        scrollback sync desktop.local --dry-run
        scrollback sync ann@desktop.local:chats.db
        scrollback sync -e 'ssh -p 2222' desktop.local
      """)

  @Argument(
    help: ArgumentHelp("The other computer, as ssh names it, and the store there.", valueName: "host[:store]")
  )
  var host: String
  @Option(
    name: [.customShort("e"), .customLong("rsh")],
    help: ArgumentHelp(
      "The remote shell to use (default: $SCROLLBACK_RSH, else ssh).", valueName: "command"))
  var remoteShell: String?
  @Option(help: ArgumentHelp("The program scrollback on the other computer.", valueName: "path"))
  var program = "scrollback"
  @Option(
    help: ArgumentHelp(
      "The store to keep if both changed, or were never synced: here or there. What only the other has is lost.",
      valueName: "side"))
  var keep: SyncSide?
  @Flag(name: [.customShort("n"), .long], help: "Show which of them changed, and change nothing.")
  var dryRun = false
  @Option(name: .customLong("answer"), help: .hidden) var answered: SyncPeer.Step?
  @Option(name: .customLong("expecting"), help: .hidden) var expected: String?
  @OptionGroup var confirmation: ConfirmationOption
  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let path = try common.path(in: shell, toWrite: true)
    let console = common.console(in: shell)
    let own = SyncPeer(path: path)
    if let answered {
      let answer = try own.carryOut(answered, expecting: expected)
      console.write(String(decoding: try JSONEncoder().encode(answer), as: UTF8.self) + "\n")
      console.flush()
      return .done
    }
    shell.listenForInterruption()
    let link = try SyncLink(
      to: host, by: remoteShell ?? shell.environment["SCROLLBACK_RSH"] ?? "ssh", program: program, in: shell)
    let (here, there) = (try own.carryOut(.state), try link.ask(.state))
    let decision = try decide(here, there)
    if dryRun || decision == nil {
      console.note(decision.map { "would do: \($0.plan(here, there))" } ?? "both stores hold the same")
      return .done
    }
    guard let decision else { return .done }
    try confirmation.ask(
      ["\(decision.plan(here, there)).", "What is only in the store that is replaced will be lost."],
      in: shell, console)
    let count = try LongWork.run(console, "synchronising") { tell in
      _ = tell(decision == .here ? "sending" : "fetching")
      return try decision == .here
        ? link.send(own, replacing: there) : link.fetch(into: own, here)
    }
    console.note("both stores hold \(NumberText.counted(count, "message")) now")
    return .done
  }

  private func decide(_ here: SyncPeer.Answer, _ there: SyncPeer.Answer) throws -> SyncSide? {
    let doing = "cannot sync '\(here.path)' with '\(host)'"
    switch (here.state, there.state) {
    case (nil, nil):
      throw StoreError(
        .noSuchStore, doing, cause: "there is no store here and none there", remedy: .makeStore)
    case (nil, _): return .there
    case (_, nil): return .here
    case (let own?, let other?):
      switch own.relation(to: other) {
      case .same: return nil
      case .older: return .there
      case .newer: return .here
      case .apart:
        if let keep { return keep }
        throw UsageError(
          doing, cause: "both stores changed, or they were never synced",
          remedy: .words(
            "export one and import it into the other (docs/operations.md), or --keep here|there to drop one of them"
          ))
      }
    }
  }
}

enum SyncSide: String, ExpressibleByArgument, CaseIterable {
  case here, there

  /// Describes replacing the other store with this side's, without a final period.
  func plan(_ here: SyncPeer.Answer, _ there: SyncPeer.Answer) -> String {
    let (kept, other) = self == .here ? (here, there) : (there, here)
    let store = "the store \(rawValue) ('\(VisibleText.of(kept.path))', \(kept.size))"
    guard other.state != nil else { return "copy \(store) to '\(VisibleText.of(other.path))'" }
    return "\(store) takes the place of '\(VisibleText.of(other.path))' (\(other.size))"
  }
}

extension SyncPeer.Step: ExpressibleByArgument {}
