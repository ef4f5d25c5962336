/// Walks through the files, folders, archives and standard input that the user named, in that order, and in
/// folders by the bytes of paths. Nothing is written to disk; links inside folders are not followed.
struct InputWalker {
  enum Next {
    case file(InputFile)
    /// A skipped file.
    case unreadable(path: String, reason: String)
    case end
  }

  private static let deepestNesting = 4

  private var walks: [FolderWalk]
  private var open: [OpenArchive] = []
  private var current: FileProducer?
  private var folderCompanions = Companions(root: nil)
  private var archiveCompanions = Companions(root: nil)
  private var root: String?
  private var finishedByteCount: Int64 = 0
  private let wantedNames: Set<String>?
  private let isWhole: ([String]) -> Bool
  private let standardInput: Int32
  private(set) var hidden: [String] = []
  private let limit: Int64?

  /// The size of everything named, archives as stored; `nil` with a pipe, or if only some names are wanted.
  let totalByteCount: Int64?

  /// The path `-` means `standardInput`, a descriptor that the caller closes. `wantedNames`
  /// are the only files wanted, besides archives that were named; where `isWhole` holds, an archive is not
  /// opened.
  init(
    _ paths: [String], standardInput: Int32 = 0, only wantedNames: Set<String>? = nil,
    isWhole: @escaping ([String]) -> Bool = { _ in false }
  ) throws(InterchangeError) {
    self.isWhole = isWhole
    self.standardInput = standardInput
    self.wantedNames = wantedNames
    limit = nil
    var walks: [FolderWalk] = []
    for path in paths.reversed() { walks.append(try FolderWalk(path)) }
    self.walks = walks
    totalByteCount = wantedNames == nil ? try FolderWalk.byteCount(of: paths) : nil
  }

  init(_ entry: FolderEntry, endingAt limit: Int64?) {
    isWhole = { _ in false }
    standardInput = -1
    wantedNames = nil
    self.limit = limit
    walks = [FolderWalk(entry)]
    totalByteCount = entry.byteCount
  }

  var diskFile: FileProducer? { current }

  var doneByteCount: Int64 { finishedByteCount + (current?.doneByteCount ?? 0) }

  /// Returns the next file and invalidates the one before.
  mutating func next() -> Next {
    while true {
      if let archive = open.last {
        if let next = next(in: archive) { return next }
      } else {
        finishedByteCount += current.map { $0.byteCount ?? $0.doneByteCount } ?? 0
        current = nil
        guard let entry = nextEntry() else { return .end }
        if let next = start(entry) { return next }
      }
    }
  }

  private mutating func nextEntry() -> FolderEntry? {
    while !walks.isEmpty {
      if let entry = walks[walks.count - 1].next() { return entry }
      hidden += walks[walks.count - 1].hidden.prefix(FolderWalk.mostHidden - hidden.count)
      walks.removeLast()
    }
    return nil
  }

  private mutating func start(_ entry: FolderEntry) -> Next? {
    if let reason = entry.obstacle { return .unreadable(path: entry.path, reason: reason) }
    guard entry.path == entry.root || isWanted(entry.components.last) else { return nil }
    let isReadableTwice = entry.byteCount != nil
    if root != entry.root {
      root = entry.root
      folderCompanions = Companions(root: isReadableTwice ? entry.root : nil)
    }
    archiveCompanions = Companions(root: isReadableTwice ? entry.path : nil)
    do throws(InterchangeError) {
      let file =
        entry.path == "-"
        ? FileProducer(descriptor: standardInput, name: "standard input") : try FileProducer(path: entry.path)
      current = file
      return try enter(file, path: entry.shownPath, components: entry.components, byteCount: file.byteCount)
    } catch {
      return .unreadable(path: entry.path, reason: error.reason)
    }
  }

  private mutating func next(in archive: OpenArchive) -> Next? {
    do throws(InterchangeError) {
      guard let entry = try archive.reader.next() else {
        open.removeLast()
        return nil
      }
      let place = archive.place(of: entry)
      if entry.isFile, place.isHidden, hidden.count < FolderWalk.mostHidden { hidden.append(place.path) }
      guard entry.isFile, !place.isHidden, isWanted(place.components.last) else { return nil }
      return try enter(
        ArchiveEntryProducer(archive.reader), path: place.path, components: place.components,
        byteCount: entry.byteCount, liesInFolder: entry.path == nil && open.count == 1)
    } catch {
      open.removeLast()
      return .unreadable(path: archive.path, reason: error.reason)
    }
  }

  private func isWanted(_ name: String?) -> Bool {
    guard let wantedNames, let name else { return wantedNames == nil }
    return wantedNames.contains(name) || wantedNames.contains(PathNames.withoutArchiveExtensions(name))
  }

  /// Walks into the file if it is an archive; `liesInFolder`: whether it is a compressed file in a folder
  /// that the user named.
  private mutating func enter(
    _ producer: any ByteProducer, path: String, components: [String], byteCount: Int64?,
    liesInFolder: Bool = false
  ) throws(InterchangeError) -> Next? {
    let source = ByteSource(producer, endingAt: limit)
    let isWhole = isWhole(components)
    guard !isWhole, case .archive = FileKind(try source.peek(FileKind.sampleByteCount)) else {
      let text = isWhole ? nil : try UTF16Producer(source).map { ByteSource($0) }
      return .file(
        InputFile(
          path: path, components: components, byteCount: byteCount, source: text ?? source,
          companions: open.isEmpty || liesInFolder ? folderCompanions : archiveCompanions,
          diskPath: open.isEmpty && byteCount != nil ? path : nil, root: root, archive: open.first?.path))
    }
    guard open.count < Self.deepestNesting else {
      return .unreadable(path: path, reason: "archives lie in it too deep in each other")
    }
    let reader: ArchiveReader
    if let file = producer as? FileProducer, file.seek(to: 0) {
      reader = try ArchiveReader(file, name: path)
    } else {
      reader = try ArchiveReader(SourceProducer(source), name: path)
    }
    open.append(OpenArchive(reader: reader, path: path, components: components))
    return nil
  }
}

extension InterchangeError {
  var reason: String { cause ?? summary }
}

private final class SourceProducer: ByteProducer {
  private let source: ByteSource

  init(_ source: ByteSource) { self.source = source }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(InterchangeError) -> Int {
    if source.buffered.isEmpty { _ = try source.fill() }
    let count = min(source.buffered.count, buffer.count)
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: source.buffered[..<count]))
    source.consume(count)
    return count
  }
}

private struct OpenArchive {
  let reader: ArchiveReader
  let path: String
  let components: [String]

  struct Place {
    var path: String
    var components: [String]
    var isHidden: Bool
  }

  func place(of entry: ArchiveReader.Entry) -> Place {
    let stem = PathNames.withoutArchiveExtensions(components.last ?? path)
    let outer: [String] = Array(components.dropLast()) + [stem]
    guard let name = entry.path else { return Place(path: path, components: outer, isHidden: false) }
    // `..` and a leading slash are dropped: these names are shown, never opened.
    let inner: [String] = name.split(separator: "/").map(String.init).filter { $0 != "." && $0 != ".." }
    return Place(
      path: "\(path):\(name)", components: outer + inner,
      isHidden: inner.indices.contains { PathNames.isHidden(inner[$0], in: Array(inner[..<$0])) })
  }
}
