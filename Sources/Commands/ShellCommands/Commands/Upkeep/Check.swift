internal import ArgumentParser
internal import ChatSession
internal import MessageModel
internal import MessageStorage
internal import TerminalText

struct Check: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "check",
    abstract: "Compare counts, keys and the search index with the messages.",
    discussion: """
      Exit code 3: problems remain. If --repair cannot rebuild something, messages themselves are damaged: restore a \
      backup or, without one, use `scrollback salvage`.

      --quick takes a second or two at any size: it compares all counts with each other, and some thousand messages, \
      other ones each time, with everything that is derived from them. It can miss problems that a full check finds.

      Examples:
        scrollback check
        scrollback check --quick
        scrollback check --repair
      """)

  @Flag(help: "Rebuild what differs; no message is erased.")
  var repair = false

  @Flag(help: "Check counts and a sample of the messages only.")
  var quick = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if quick, repair { throw ValidationError("--repair cannot be combined with --quick") }
  }

  func run(in shell: Shell) throws -> ExitStatus {
    if quick {
      let store = try common.readableStore(in: shell)
      defer { store.close() }
      return tell(of: try store.quickCheck(), store, common.console(in: shell))
    }
    // A store without write permission can still be checked.
    if repair { try SynchronousMessageStore.mendForm(of: common.path(in: shell)) }
    let isWritable = try repair || SynchronousMessageStore.isWritable(at: common.path(in: shell))
    let store = try common.writableStore(in: shell, StoreOptions(access: isWritable ? .readWrite : .readOnly))
    defer { store.close() }
    return try check(store, common.console(in: shell))
  }

  private func check(_ store: SynchronousMessageStore, _ console: Console) throws -> ExitStatus {
    let check = try LongWork.run(console, "checking") { tell in
      try store.check(repair: repair) { tell($0.text) }
    }
    return tell(of: check, store, console)
  }

  private func tell(of check: StoreCheck, _ store: SynchronousMessageStore, _ console: Console) -> ExitStatus
  {
    for problem in check.problems { console.write(VisibleText.of(problem.description) + "\n") }
    console.flush()
    for leftover in check.leftovers { console.note(VisibleText.of(leftover)) }
    console.note(Self.summary(of: check))
    if !check.isSound {
      console.note(
        repair
          ? lastResort(for: store.path) : "  try: scrollback check\(quick ? "" : " --repair")")
    }
    if check.isSound, !check.leftovers.isEmpty, !repair {
      console.note("  scrollback compact frees the space that is left over")
    }
    return check.isSound ? .done : .incomplete
  }

  private func lastResort(for path: String) -> String {
    """
      what is left cannot be rebuilt from the messages: a backup has it whole
      try: scrollback restore BACKUP (without one, scrollback salvage \(ShellWord.quoted(path)) -o NEW brings out what can \
    be read)
    """
  }

  private static func summary(of check: StoreCheck) -> String {
    let looked =
      check.sampledFrom.map {
        "looked at counts and \(NumberText.grouped(check.messageCount)) of \(NumberText.counted($0, "message"))"
      } ?? "looked at \(NumberText.counted(check.messageCount, "message"))"
    if check.problemCount == 0 { return "\(looked) · no problems" }
    let found = NumberText.counted(check.problemCount, "problem")
    return "\(looked) · \(found), \(NumberText.grouped(check.repairedCount)) repaired"
  }
}
