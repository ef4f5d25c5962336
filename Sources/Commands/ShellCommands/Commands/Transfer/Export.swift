internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import HistoryPage
internal import HistoryTransfer
internal import MessageInterchange
internal import MessageModel
internal import MessageStorage
internal import TerminalText

struct Export: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "export",
    abstract: "Write messages out of the store.",
    discussion: """
      The format of a file is that of its name (jsonl, csv, tsv, txt, md, html, mbox), unless --format says otherwise. A \
      site is a folder: its index.html shows the history in a browser, without a program, attachments included \
      (docs/site.md). If stopped, run it again to continue. Use --defuse for CSV that a spreadsheet \
      will open; import removes the apostrophes.

      Examples:
        scrollback export -o backup.jsonl
        scrollback export --everything -o store.jsonl --attachments files
        scrollback export --format site -o history
        scrollback export --format site --address https://example.org/tea -o tea
        scrollback export -c general --since 2024 -o general.html
        scrollback export -c general --numbered -o evidence.html
        scrollback export -c general --newest-first --limit 100
        scrollback export -c general --redact rules.txt -o general.html
      """)

  @Option(
    help: ArgumentHelp(
      "The format: \(ExportChoice.names.joined(separator: ", ")).",
      valueName: "name"),
    completion: ValueCompletions.exportFormats)
  var format: String?

  @Flag(help: "The same as --format jsonl.")
  var json = false

  @Option(
    name: [.customShort("o", allowingJoined: true), .customLong("output")],
    help: ArgumentHelp("Write to a file (- is standard output); a site to a folder.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp("Write attachments into a folder, and refer to them there.", valueName: "dir"),
    completion: .directory)
  var attachments: String?

  @Option(
    help: ArgumentHelp(
      "Where a site will be (https://…): its pages say so, and sitemap.xml lists them.", valueName: "url"))
  var address: String?

  @Flag(help: "Interleave all conversations by time.")
  var merge = false

  @Flag(help: "In tables, put an apostrophe before what a spreadsheet would run as a formula.")
  var defuse = false

  @Flag(
    help: ArgumentHelp(
      "In HTML, number the messages, and account for their sources (SHA-256), deletions, edits and gaps."))
  var numbered = false

  @Flag(
    help:
      "Write all of the store as JSON Lines: also imports, people, aliases, saved filters, marks, gaps, sources."
  )
  var everything = false

  @OptionGroup var redacting: RedactOption
  @OptionGroup var pager: PagerOption
  @OptionGroup var filter: FilterOptions
  @OptionGroup var window: WindowOptions
  @OptionGroup var conversation: ConversationOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if json, let format, ExportFormats.name(of: format) != "jsonl" {
      throw ValidationError("--json is --format jsonl, not --format \(format)")
    }
    if everything { try checkEverything() }
    if numbered { try checkNumbered() }
    if let address { try checkAddress(address) }
    if isSite {
      guard let output, output != "-" else { throw ValidationError("a site is a folder: -o DIR") }
      let isPart = window.limit != nil || window.offset != 0 || window.order != .oldestFirst
      guard !merge, !defuse, !isPart, attachments == nil else {
        throw ValidationError(
          "a site has whole conversations with what is attached, in order: without --merge, --limit and the like"
        )
      }
    }
  }

  private func checkEverything() throws {
    let wanted = format ?? (output == "-" ? nil : output).flatMap(Self.ending) ?? "jsonl"
    guard ExportFormats.name(of: wanted) == "jsonl" else {
      throw ValidationError("--everything writes JSON Lines, not \(VisibleText.of(wanted)): -o store.jsonl")
    }
    let isPart = window.limit != nil || window.offset != 0 || window.order != .oldestFirst || merge
    guard !isPart, try conversation.conversation.isEmpty && filter.query() == nil else {
      throw ValidationError(
        "--everything cannot be combined with -c, --from, --limit, --merge and the like"
      )
    }
    guard redacting.redact == nil else {
      throw ValidationError(
        "--everything writes the store unredacted, so it cannot be combined with --redact")
    }
    guard !defuse else { throw ValidationError("--defuse is for tables, and --everything writes JSON Lines") }
  }

  private func checkAddress(_ address: String) throws {
    guard isSite else { throw ValidationError("--address is for --format site") }
    let parts = URLComponents(string: address)
    guard let parts, ["http", "https"].contains(parts.scheme), parts.host?.isEmpty == false,
      parts.query == nil,
      parts.fragment == nil
    else {
      throw ValidationError(
        "'\(VisibleText.of(address, keepsTabs: false))' is not the address of a site: --address https://example.org/history"
      )
    }
  }

  private func checkNumbered() throws {
    let wanted = format ?? (output == "-" ? nil : output).flatMap(Self.ending)
    guard wanted.flatMap({ ExportFormats.name(of: $0) }) == "html" else {
      throw ValidationError("--numbered is for HTML: --format html, or -o messages.html")
    }
  }

  private static func ending(of path: String) -> String? {
    let ending = URL(fileURLWithPath: path).pathExtension
    return ending.isEmpty ? nil : ending
  }

  private var isSite: Bool { format?.lowercased() == ExportChoice.siteName }

  func run(in shell: Shell) throws -> ExitStatus {
    let rules = try redacting.rules()
    if let archive = try common.archive(in: shell) {
      guard !everything else {
        throw UsageError(
          "cannot export everything of an archive",
          cause: "an archive holds messages and what is attached to them",
          remedy: "scrollback export -o archive.jsonl, without --everything")
      }
      guard !numbered else {
        throw UsageError(
          "cannot account for the sources of an archive",
          cause: "an archive does not hold its imports", remedy: "scrollback export --numbered of the store")
      }
      guard rules == nil else {
        throw UsageError(
          "cannot replace anything in what an archive gives", cause: "--redact needs a store in a file",
          remedy: "export the archive, import that into a new store, and export from there with --redact")
      }
      return try run(archive, in: shell)
    }
    let store = try common.readableStore(in: shell)
    defer { store.close() }
    let zone = try common.zone(in: shell)
    let redaction = try rules.map { try HistoryRedaction($0, of: store, zone: zone) }
    let status = try run(store, redaction, in: shell)
    if everything, status != .interrupted { try tellUnexported(of: store, zone, in: shell) }
    if let redaction {
      try RedactOption.tell(redaction.redactor, asJSON: json, common.console(in: shell))
    }
    return status
  }

  private func run(
    _ store: SynchronousMessageStore, _ redaction: HistoryRedaction?, in shell: Shell
  ) throws -> ExitStatus {
    if isSite, let output { return try exportSite(store, redaction, to: output, in: shell) }
    let console = pager.console(common, in: shell)
    let file = output == "-" ? nil : output
    let choice = conversation.choice(otherwise: .all)
    let naming: PrintedText.Naming =
      try !choice.isOfSeveral(in: store) ? .none : merge ? .inLines : .headings
    let printing = console.printing(zone: try common.zone(in: shell), naming: naming, isFile: file != nil)
    var options = ExportOptions(timeZone: printing.zone, defusesFormulas: defuse)
    options.numbersMessages = numbered
    let known = format.map { ExportFormats.name(of: $0) ?? $0 } ?? (json || everything ? "jsonl" : nil)
    // The store is protected by its identity as a file, whatever format its name suggests.
    if let file { try store.files.spare(file, doing: "cannot write to '\(file)'") }
    let name = try known ?? file.flatMap { try ExportChoice.name(ofFile: $0) } ?? "text"
    let format: any ExportFormat =
      name == "text" ? PrintedText(printing) : try ExportChoice.writer(name, options: options)
    let part = HistoryExport(
      try choice.selection(in: store).narrowed(to: filter.predicate(in: store, common, shell)),
      order: window.order, limit: window.limit, offset: window.offset, merges: merge)
    let export = everything ? .everything : part
    return try run(export, of: store, redaction, as: format, to: file, console, in: shell)
  }

  private func exportSite(
    _ store: SynchronousMessageStore, _ redaction: HistoryRedaction?, to folder: String, in shell: Shell
  ) throws -> ExitStatus {
    let console = common.console(in: shell)
    let (predicate, zone) = (try filter.predicate(in: store, common, shell), try common.zone(in: shell))
    let selection = try conversation.choice(otherwise: .all).selection(in: store).narrowed(to: predicate)
    let base = address.map { String($0.trimming { $0 == "/" }) }
    let site = SiteExport(selection, zone: zone, folder: folder, address: base, page: PageFiles.site)
    shell.listenForInterruption()
    let outcome = try LongWork.run(console, "writing a site") { tell in
      try site.run(
        store, redaction: redaction, isCancelled: { Interruption.isAskedFor },
        telling: { _ = tell("\(NumberText.counted($0, "message")) written") })
    }
    if outcome.keptCount > 0 {
      console.note("went on behind \(NumberText.counted(outcome.keptCount, "message")) that were there")
    }
    guard !outcome.isStopped else {
      console.note(
        "stopped after \(NumberText.counted(outcome.messageCount, "message")); run it again to continue")
      return .interrupted
    }
    console.note(
      "wrote \(NumberText.counted(outcome.messageCount, "message")) of "
        + "\(NumberText.counted(outcome.conversationCount, "conversation")); open '\(folder)/index.html'")
    if base == nil { console.note("no sitemap.xml for search engines: that takes --address https://…") }
    return Self.status(outcome.failedFileCount, outcome.miscount, store, console)
  }

  /// Writes to a file or, without one, to the console. Ctrl-C stops after a whole message and leaves an
  /// existing file unchanged.
  private func run(
    _ export: HistoryExport, of store: SynchronousMessageStore, _ redaction: HistoryRedaction?,
    as format: any ExportFormat, to output: String?, _ console: Console, in shell: Shell
  ) throws -> ExitStatus {
    guard let output else {
      let folder = try attachmentFolder(store, of: nil, as: format, console)
      let outcome = try export.run(
        store, format: format, attachments: folder, redaction: redaction
      ) { bytes in
        format is PrintedText ? console.write(bytes) : console.write(data: bytes)
      }
      if folder != nil { Self.tellFiles(outcome, console) }
      console.flush()
      return Self.status(outcome.failedFileCount, outcome.miscount, store, console)
    }
    let file = try OutputFile(path: output, sparing: store.files)
    shell.listenForInterruption()
    do {
      let folder = try attachmentFolder(store, of: output, as: format, console)
      let outcome = try export.run(
        store, format: format, attachments: folder, redaction: redaction,
        isCancelled: { Interruption.isAskedFor },
        write: { try file.write(file.isTerminal ? VisibleText.lines($0) : $0) })
      if folder != nil { Self.tellFiles(outcome, console) }
      guard outcome.isStopped else {
        try file.finish()
        return Self.status(outcome.failedFileCount, outcome.miscount, store, console)
      }
      file.discard()
      let count = NumberText.counted(outcome.messageCount, "message")
      console.note(file.isReplaced ? "stopped: nothing is written to '\(output)'" : "stopped after \(count)")
      return .interrupted
    } catch {
      file.discard()
      throw error
    }
  }

  private func attachmentFolder(
    _ store: SynchronousMessageStore, of output: String?, as format: any ExportFormat, _ console: Console
  ) throws -> AttachmentFolder? {
    guard let attachments else { return nil }
    let folder = try AttachmentFolder(attachments, for: output, sparing: store.files)
    if format is JSONLinesExport, folder.isOutside {
      let beside =
        RealPath.folder(of: output ?? "") + (attachments.split(separator: "/").last ?? "attachments")
      console.note(
        """
        an import will not find the attachments: '\(attachments)' is outside of the folder of \
        \(output.map { "'\($0)'" } ?? "the export"); put it beside that, --attachments '\(beside)'
        """)
    }
    return folder
  }

  private func tellUnexported(of store: SynchronousMessageStore, _ zone: TimeZone, in shell: Shell) throws {
    let console = common.console(in: shell)
    let counts = try store.unexported()
    let anew = try store.filtersReadAnew(at: shell.now(), WallClock(zone: zone))
    let files = attachments == nil ? counts.contents : 0
    let lines = [
      Self.line(files, "attached file", "(--attachments DIR writes them)"),
      Self.line(
        counts.deletedMessages, "deletion", "(importing their source again brings these messages back)"),
      Self.line(counts.formerIDs, "former id", "of moved messages"),
      Self.line(counts.peopleChanges, "change", "of people in the log of `people undo`"),
      Self.line(counts.emptyConversations, "conversation", "without messages"),
      Self.line(counts.waitingReplies, "reply", "to a message that has not come yet", plural: "replies"),
      Self.line(counts.reactionIDs, "id", "of those who reacted"),
    ].compactMap(\.self)
    if !lines.isEmpty { console.note("not in the file: \(lines.joined(separator: "; "))") }
    for name in anew {
      console.note(
        "the filter '\(VisibleText.of(name))' is compiled again by the import: its times or names may mean others then"
      )
    }
  }

  private static func line(_ count: Int, _ noun: String, _ rest: String, plural: String? = nil) -> String? {
    count == 0 ? nil : "\(NumberText.counted(count, noun, plural: plural)) \(rest)"
  }

  private static func tellFiles(_ outcome: HistoryExport.Outcome, _ console: Console) {
    console.note("wrote \(NumberText.counted(outcome.writtenFileCount, "attachment"))")
  }

  private static func status(
    _ failedFileCount: Int, _ miscount: Miscount?, _ store: SynchronousMessageStore, _ console: Console
  ) -> ExitStatus {
    if let miscount {
      let counted = NumberText.counted(miscount.counted, "message")
      store.noteDamage("\(counted) are counted, and \(NumberText.grouped(miscount.read)) could be read")
    }
    return DamageReport.status(status(failedFileCount, store, console), after: store, console)
  }

  private static func status(
    _ failedFileCount: Int, _ store: SynchronousMessageStore, _ console: Console
  ) -> ExitStatus {
    let status = CostlyMessages.tell(of: store, console, else: .done)
    guard failedFileCount > 0 else { return status }
    let error = UsageError(
      "\(NumberText.counted(failedFileCount, "attachment")) could not be written",
      cause: "what is attached is missing from the store, or damaged", remedy: "scrollback check")
    console.complain("scrollback: \(error.typed)")
    return .incomplete
  }
}
