internal import ArgumentParser
internal import ChatSession
internal import MessageModel
internal import MessageStorage

struct Save: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "save",
    abstract: "Save a message's attached files to a folder.",
    discussion: """
      Names are made safe, and existing files are not overwritten. The paths are printed.

      Example:
        scrollback save '#7022857543691537' pictures/
      """)

  @Argument(help: ArgumentHelp("The message.", valueName: "id"))
  var id: String

  @Argument(help: ArgumentHelp("The folder.", valueName: "dir"), completion: .directory)
  var folder: String

  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let ids = try MessageIDs.parsed([id])
    let store = try common.readableStore(in: shell, readerCount: 1)
    defer { store.close() }
    return try save(ids, of: store, common.console(in: shell))
  }

  private func save(
    _ ids: [Message.ID], of store: SynchronousMessageStore, _ console: Console
  ) throws -> ExitStatus {
    var (count, failedCount) = (0, 0)
    for id in ids {
      let attachments = try store.attachments(of: id)
      if !attachments.isEmpty { try store.files.makeFolder(folder) }
      for attachment in attachments {
        do throws(StoreError) {
          console.write("\(VisibleText.of(try store.save(attachment, to: folder), keepsTabs: false))\n")
          count += 1
        } catch {
          guard error.kind == .notFound || error.kind == .damaged else { throw error }
          failedCount += 1
          console.complain("scrollback: \(error.typed)")
        }
      }
    }
    console.flush()
    if count + failedCount == 0 { console.complain("scrollback: nothing is attached") }
    return failedCount > 0 ? .incomplete : count == 0 ? .nothingFound : .done
  }
}
