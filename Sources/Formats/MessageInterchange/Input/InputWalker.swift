/// A walk through all files in what the user named: files, folders, archives and standard input.
///
/// The order is that of the names given, and within a folder that of the paths' bytes, so that it is the same
/// everywhere. Nothing is written to disk; symbolic links inside folders are not followed.
struct InputWalker {
  /// The next thing on the walk.
  enum Next {
    case file(InputFile)
    /// A file that is passed over, and why.
    case unreadable(path: String, reason: String)
    case end
  }

  /// The greatest depth to which archives may lie in archives.
  private static let deepestNesting = 4

  /// The walks still to be made, the present one last.
  private var walks: [FolderWalk]
  private var open: [OpenArchive] = []
  private var current: FileProducer?
  /// The files beside the current one in the folder that was named, and in the archive that is open.
  private var folderCompanions = Companions(root: nil)
  private var archiveCompanions = Companions(root: nil)
  private var root: String?
  private var finishedByteCount: Int64 = 0
  private let wantedNames: Set<String>?
  private let isWhole: ([String]) -> Bool
  private let standardInput: Int32
  /// The first of the hidden files and folders that were passed over.
  private(set) var hidden: [String] = []
  /// The offset at which a file ends for now.
  private let limit: Int64?

  /// The bytes of all that was named, archives as they lie on the disk; `nil` if standard input or a pipe is among it,
  /// or only some names are wanted.
  let totalByteCount: Int64?

  /// Prepares to go through `paths`; `-` stands for standard input.
  ///
  /// - Parameters:
  ///   - standardInput: Its descriptor, which stays its owner's.
  ///   - wantedNames: The names of the only files wanted, besides archives that were named; `nil` for all.
  ///   - isWhole: Whether a file, told by its place, is given as it is even if it is an archive itself.
  /// - Throws: ``InterchangeError`` if one of them is not there or a folder cannot be read.
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

  /// Prepares to give one file that was found before, up to `limit`.
  init(_ entry: FolderEntry, endingAt limit: Int64?) {
    isWhole = { _ in false }
    standardInput = -1
    wantedNames = nil
    self.limit = limit
    walks = [FolderWalk(entry)]
    totalByteCount = entry.byteCount
  }

  /// The file on the disk that is being read, be it an archive.
  var diskFile: FileProducer? { current }

  /// The number of bytes of ``totalByteCount`` that are done.
  var doneByteCount: Int64 { finishedByteCount + (current?.doneByteCount ?? 0) }

  /// Moves to the next file; the one before it is of no use any more.
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

  /// Opens what `producer` gives: as an archive to go through if it is one.
  ///
  /// - Parameter liesInFolder: Whether it is a file of a folder that was named, only compressed.
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
  /// The cause if there is one, else what could not be done.
  var reason: String { cause ?? summary }
}

/// The rest of a source whose beginning was looked at.
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

/// An archive that is being gone through.
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
    // `..` and a leading slash mean nothing here: these are names to show, never to open.
    let inner: [String] = name.split(separator: "/").map(String.init).filter { $0 != "." && $0 != ".." }
    return Place(
      path: "\(path):\(name)", components: outer + inner,
      isHidden: inner.indices.contains { PathNames.isHidden(inner[$0], in: $0 > 0 ? inner[$0 - 1] : nil) })
  }
}
