internal import ArgumentParser
internal import Foundation
internal import MessageShell
internal import MessageStorage

struct Check: ShellCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Compare counts, keys and the search index with the messages.")

  @Flag(help: "Make anew what differs; no message is erased.")
  var repair = false

  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    // What cannot be written to can still be looked at.
    if repair { try MessageStore.mendForm(of: common.path(in: shell)) }
    let isWritable = repair || MessageStore.isWritable(at: common.path(in: shell))
    let store = try common.writableStore(in: shell, StoreOptions(access: isWritable ? .readWrite : .readOnly))
    defer { store.close() }
    return try CareCommands.check(store, repair: repair, common.console(in: shell))
  }
}

struct Compact: ShellCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Write the store anew without unused space.",
    discussion: """
      Text that was deleted or changed may still lie in pages that nothing uses, and in the search index. --secure builds
      the index anew, too: after it neither the store nor a backup made from then on holds any of it. Earlier backups and
      exports do, and so may the disk, where the old pages lay.
      """)

  @Flag(help: "Leave nothing of what was deleted in the file.")
  var secure = false

  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let store = try common.writableStore(in: shell)
    defer { store.close() }
    try CareCommands.compact(store, secure: secure, common.console(in: shell))
    return .done
  }
}

struct Backup: ShellCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the store into a new file, while it may be in use, and check the copy.")

  @Argument(help: "The new file.") var file: String
  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let store = try MessageStore(path: common.path(in: shell), options: StoreOptions(access: .readOnly))
    defer { store.close() }
    shell.listenForInterruption()
    try CareCommands.backup(store, to: file, common.console(in: shell))
    return .done
  }
}

struct Restore: ShellCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Put a backup in the place of the store.",
    discussion: "What is no sound store is refused; the store stays as it was then.")

  @Argument(help: "The backup.") var file: String
  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    try CareCommands.restore(file, to: common.path(in: shell), common.console(in: shell))
    return .done
  }
}
