internal import ArgumentParser
internal import ChatSession
internal import MessageStorage
internal import TerminalText

struct Compact: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "compact",
    abstract: "Rewrite the store without unused space.",
    discussion: """
      Deleted and changed texts may remain in free pages and in the search index. --secure also rebuilds the index: \
      then neither the store nor later backups contain any of them. Earlier backups and exports do, and the disk may \
      keep the old pages.

      Examples:
        scrollback compact
        scrollback compact --secure
      """)

  @Flag(help: "Erase deleted texts from the file.")
  var secure = false

  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    try common.change(in: shell) { store, console in
      let saved = try LongWork.run(console, "compacting") { tell in
        try store.compact(secure: secure) { tell($0.text) }
      }
      let size = try store.statistics().fileByteCount
      console.note("freed \(NumberText.bytes(max(saved, 0))); the store now takes \(NumberText.bytes(size))")
    }
  }
}

extension CareStep {
  var text: String {
    switch self {
    case .file: "the pages of the file"
    case .references: "what messages refer to"
    case .texts: "texts and checksums"
    case .search: "the search index"
    case .counts: "counts"
    case .duplicates: "keys of imported messages"
    case .contents: "attachments"
    case .repair: "repairing what was found"
    case .copy: "rewriting the file"
    }
  }
}
