internal import Foundation
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage

/// The folder of a site. Only its owner can read its files: they contain private messages.
final class SiteFolder {
  let path: String
  var redaction: HistoryRedaction?
  private var made: Set<String> = []

  private static let progressName = "data/progress.json"
  private static let indexName = "data/index.js"

  static func run(_ number: Int) -> String { "data/runs/\(number)" }

  /// Creates the folder, or reuses one of an earlier site. Throws ``StoreError`` of kind `cannotCreate` if it
  /// has other files, cannot be created, or belongs to the store.
  init(_ path: String, sparing files: StoreFiles) throws(StoreError) {
    self.path = path
    let found = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let isSite = [Self.progressName, Self.indexName].contains {
      FileManager.default.fileExists(atPath: "\(path)/\($0)")
    }
    guard found.isEmpty || isSite else {
      throw StoreError(
        .cannotCreate, "cannot write a site into '\(path)'", cause: "it holds other files",
        remedy: .writeIntoNewFolder)
    }
    try files.makeFolder(path)
  }

  func path(of name: String) -> String { "\(path)/\(name)" }

  /// Writes a script `scrollback.piece("NAME", VALUE)`; `json` is the value, without line ends.
  func put(_ name: String, _ json: some Sequence<UInt8>) throws {
    var bytes = Array("scrollback.piece(\"\(name)\",".utf8)
    // Escapes `<`, which occurs only in strings, so that the data cannot close a script element.
    for byte in json {
      if byte == 0x3C { bytes.append("\\u003c") } else { bytes.append(byte) }
    }
    bytes.append(")\n")
    try write(bytes, to: "data/\(name).js")
  }

  func put(_ name: String, _ json: String) throws { try put(name, json.utf8) }

  /// Writes a file over one of an earlier export, never through a link. With `isOurs`, it contains no
  /// message.
  func write(_ bytes: [UInt8], to name: String, isOurs: Bool = false) throws {
    if !isOurs { try redaction?.look(atFile: name, bytes) }
    let target = path(of: name)
    try makeFolder(of: name)
    unlink(target)
    let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failed(target, .cannotCreate) }
    defer { close(descriptor) }
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failed(target, .inputOutput) }
      sent += count
    }
  }

  private func makeFolder(of name: String) throws {
    guard let end = name.lastIndex(of: "/") else { return }
    try makeFolder(String(name[..<end]))
  }

  func makeFolder(_ name: String) throws {
    guard !made.contains(name) else { return }
    do {
      try FileManager.default.createDirectory(
        atPath: path(of: name), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError(
        .cannotCreate, "cannot make '\(path(of: name))'", cause: (error as NSError).localizedDescription)
    }
    // There are as many folders as conversations; only the latest are used again.
    if made.count > 64 { made.removeAll() }
    made.insert(name)
  }

  func rename(_ name: String, to other: String) throws {
    guard Foundation.rename(path(of: name), path(of: other)) == 0 else {
      throw Self.failed(path(of: other), .inputOutput)
    }
  }

  func remove(_ name: String) { try? FileManager.default.removeItem(atPath: path(of: name)) }

  private static func failed(_ path: String, _ kind: StoreError.Kind) -> StoreError {
    StoreError(kind, "cannot write '\(path)'", cause: String(cString: strerror(errno)))
  }

  /// Returns the progress of an interrupted export with the same arguments; `nil` if there is none or the
  /// store has changed since: then its files are removed.
  func progress(for wish: String, _ version: SourceVersion) throws -> SiteProgress? {
    let file = URL(fileURLWithPath: path(of: Self.progressName))
    if let data = try? Data(contentsOf: file),
      let progress = try? JSONDecoder().decode(SiteProgress.self, from: data), progress.fits(wish, version)
    {
      return progress
    }
    // An existing site stays complete until here. Its attachments may not be wanted any more.
    clear()
    return nil
  }

  func clear() {
    for name in ["files", "data", SiteDocument.folder] { remove(name) }
    let found = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in found where name.hasPrefix("sitemap") && name.hasSuffix(".xml") { remove(name) }
  }

  func keep(_ progress: SiteProgress) throws {
    try write(AnswerEncoder.bytes(of: progress), to: "\(Self.progressName).new")
    try rename("\(Self.progressName).new", to: Self.progressName)
  }

  func forgetProgress() {
    remove("data/runs")
    remove(Self.progressName)
  }
}

struct SiteProgress: Codable {
  /// The export's arguments and the version of the format.
  var wish: String
  var version: SourceVersion
  var messageCount = 0
  var conversationCount = 0
  var pieceCount = 0
  var failedFileCount = 0
  var listCount = 0
  var listed: [String] = []
  var runCount = 0
  var lastName: String?
  var current: SiteConversation?
  /// The conversations, for the pages without scripts.
  var pages = SiteList(
    "Conversations", about: "All conversations, each with a page for every month", stem: "index")
  var map = SiteMap()

  init(wish: String, version: SourceVersion) { (self.wish, self.version) = (wish, version) }

  func fits(_ wish: String, _ version: SourceVersion) -> Bool {
    self.wish == wish && self.version == version && self.version.origin == version.origin
  }
}
