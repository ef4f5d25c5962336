internal import MessageModel
internal import MessageShell
internal import MessageStorage
internal import TerminalText

/// `check`, `compact`, `backup` and `restore`: care of the file.
enum CareCommands {
  /// Compares what is derived with the messages, prints each problem and says how many there are.
  ///
  /// - Returns: `incomplete` if there are problems left.
  static func check(_ store: MessageStore, repair: Bool, _ console: Console) throws -> ExitStatus {
    let check = try store.check(repair: repair)
    for problem in check.problems { console.write(VisibleText.of(problem.description) + "\n") }
    console.flush()
    for leftover in check.leftovers { console.note(VisibleText.of(leftover)) }
    console.note(summary(of: check))
    if !check.isSound, !repair { console.note("  try: scrollback check --repair") }
    if check.isSound, !check.leftovers.isEmpty, !repair {
      console.note("  scrollback compact gives back the room of what is left over")
    }
    return check.isSound ? .done : .incomplete
  }

  static func summary(of check: StoreCheck) -> String {
    let looked = "looked at \(NumberText.counted(check.messageCount, "message"))"
    if check.problemCount == 0 { return "\(looked) · no problems" }
    let found = NumberText.counted(check.problemCount, "problem")
    return "\(looked) · \(found), \(NumberText.grouped(check.repairedCount)) repaired"
  }

  /// Writes the file anew without unused space; if it is to be secure, without anything that was deleted.
  static func compact(_ store: MessageStore, secure: Bool = false, _ console: Console) throws {
    let saved = try store.compact(secure: secure)
    let size = try store.statistics().fileByteCount
    console.note("saved \(NumberText.bytes(max(saved, 0))); \(NumberText.bytes(size)) are left")
  }

  /// Copies the store into a new file.
  static func backup(_ store: MessageStore, to path: String, _ console: Console) throws {
    let count = try store.backup(to: path) { _ in !Interruption.isAskedFor }
    console.note("copied \(NumberText.counted(count, "message")) to \(VisibleText.of(path)) and checked them")
  }

  /// Puts a backup in the place of the store.
  static func restore(_ backup: String, to path: String, _ console: Console) throws {
    let count = try MessageStore.restore(backup, to: path)
    console.note("restored \(NumberText.counted(count, "message")) to \(VisibleText.of(path))")
  }
}
