internal import CArchive
internal import Foundation

/// Reads the entries of an archive or of a compressed file in order, without writing to disk. libarchive
/// detects the format by content: zip, tar, or one file compressed by gzip, xz, zstd or bzip2. Names of
/// entries are never used to open files.
final class ArchiveReader {
  struct Entry {
    var path: String?
    var byteCount: Int64?
    var isFile: Bool
  }

  private let library: carchive_functions
  private let archive: OpaquePointer
  private let input: ArchiveInput
  private let name: String
  private var decompressed: Int64 = 0
  private var hasEntry = false
  private var isGivenUp = false

  init(_ producer: any ByteProducer, name: String) throws(InterchangeError) {
    guard let library = carchive_load()?.pointee else {
      throw InterchangeError(
        .inputOutput, "cannot read '\(name)'", cause: "it is an archive, and libarchive is not installed",
        remedy: "unpack it first")
    }
    guard let archive = library.archive_read_new() else {
      throw InterchangeError(.inputOutput, "cannot read '\(name)'", cause: "no memory is left")
    }
    self.library = library
    self.archive = archive
    self.name = name
    input = ArchiveInput(producer)
    setUp()
    let status = open()
    guard status >= ARCHIVE_WARN else { throw failure() }
  }

  deinit { _ = library.archive_read_free(archive) }

  func next() throws(InterchangeError) -> Entry? {
    if isGivenUp { return nil }
    try passRest()
    // Without a UTF-8 locale libarchive returns no names outside ASCII.
    let locale = UTF8Locale()
    defer { locale.leave() }
    var entry: OpaquePointer?
    switch library.archive_read_next_header(archive, &entry) {
    case ARCHIVE_EOF: return nil
    case ARCHIVE_OK, ARCHIVE_WARN: break
    default: throw failure()
    }
    guard let entry else { return nil }
    hasEntry = true
    let isRaw = library.archive_format(archive) == ARCHIVE_FORMAT_RAW
    return Entry(
      path: isRaw ? nil : path(of: entry),
      byteCount: library.archive_entry_size_is_set(entry) != 0 ? library.archive_entry_size(entry) : nil,
      isFile: isRaw
        || library.archive_entry_filetype(entry) == mode_t(0o100000)
          && library.archive_entry_hardlink(entry) == nil
    )
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(InterchangeError) -> Int {
    let count = library.archive_read_data(archive, buffer.baseAddress, min(buffer.count, 1 << 18))
    guard count >= 0 else {
      hasEntry = false
      throw failure()
    }
    decompressed += Int64(count)
    if decompressed > Self.harmless, decompressed / Self.highestRatio > input.byteCount {
      isGivenUp = true
      throw InterchangeError(
        .unreadable, "cannot read '\(name)' further",
        cause: "it expands to more than \(Self.highestRatio) times its size")
    }
    return count
  }

  /// Reads what remains of the entry itself: libarchive would expand it without a limit.
  private func passRest() throws(InterchangeError) {
    guard hasEntry, library.archive_filter_code(archive, 0) != ARCHIVE_FILTER_NONE,
      library.archive_format(archive) != ARCHIVE_FORMAT_RAW
    else { return }
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
    defer { scratch.deallocate() }
    while try read(into: scratch) > 0 {}
  }

  // Real logs shrink to a tenth or a hundredth; a file that grows thousandfold is made to fill disks.
  private static let highestRatio: Int64 = 2_000
  private static let harmless: Int64 = 1 << 30

  private func setUp() {
    _ = library.archive_read_support_format_zip(archive)
    _ = library.archive_read_support_format_tar(archive)
    _ = library.archive_read_support_format_gnutar(archive)
    _ = library.archive_read_support_format_empty(archive)
    _ = library.archive_read_support_format_raw(archive)
    _ = library.archive_read_support_filter_gzip(archive)
    _ = library.archive_read_support_filter_xz(archive)
    _ = library.archive_read_support_filter_zstd(archive)
    _ = library.archive_read_support_filter_bzip2(archive)
  }

  private func open() -> Int32 {
    _ = library.archive_read_set_callback_data(archive, Unmanaged.passUnretained(input).toOpaque())
    _ = library.archive_read_set_read_callback(archive) { _, context, block in
      ArchiveInput.from(context).read(block)
    }
    if input.canSeek {
      _ = library.archive_read_set_seek_callback(archive) { _, context, offset, whence in
        ArchiveInput.from(context).seek(offset, whence)
      }
    }
    return library.archive_read_open1(archive)
  }

  private func failure() -> InterchangeError {
    if let error = input.error { return error }
    let cause = library.archive_error_string(archive).map { String(cString: $0) }
    return InterchangeError(.unreadable, "cannot read '\(name)' as an archive", cause: cause)
  }

  private func path(of entry: OpaquePointer) -> String {
    if let name = library.archive_entry_pathname_utf8(entry) { return String(cString: name) }
    if let name = library.archive_entry_pathname(entry) { return String(cString: name) }
    return "?"
  }
}

private final class ArchiveInput {
  private let producer: any ByteProducer
  private let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
  private(set) var error: InterchangeError?
  private(set) var byteCount: Int64 = 0

  init(_ producer: any ByteProducer) { self.producer = producer }

  deinit { block.deallocate() }

  static func from(_ context: UnsafeMutableRawPointer?) -> ArchiveInput {
    guard let context else { preconditionFailure("libarchive lost the context it was given.") }
    return Unmanaged<ArchiveInput>.fromOpaque(context).takeUnretainedValue()
  }

  func read(_ result: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
    do throws(InterchangeError) {
      let count = try producer.read(into: block)
      byteCount += Int64(count)
      result?.pointee = UnsafeRawPointer(block.baseAddress)
      return count
    } catch {
      self.error = error
      return -1
    }
  }

  var canSeek: Bool {
    guard let file = producer as? FileProducer, file.byteCount != nil else { return false }
    return file.seek(to: file.position)
  }

  func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    guard let file = producer as? FileProducer, let size = file.byteCount else { return -1 }
    let target =
      switch whence {
      case SEEK_CUR: file.position + offset
      case SEEK_END: size + offset
      default: offset
      }
    return file.seek(to: target) ? target : -1
  }
}

final class ArchiveEntryProducer: ByteProducer {
  private let archive: ArchiveReader

  init(_ archive: ArchiveReader) { self.archive = archive }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(InterchangeError) -> Int {
    try archive.read(into: buffer)
  }
}

extension ByteSource {
  /// The content of a file in memory that may be compressed.
  convenience init(expanding bytes: [UInt8], name: String) throws(InterchangeError) {
    guard case .archive = bytes.withUnsafeBytes(FileKind.init) else {
      self.init(MemoryProducer(bytes))
      return
    }
    let archive = try ArchiveReader(MemoryProducer(bytes), name: name)
    _ = try archive.next()
    self.init(ArchiveEntryProducer(archive))
  }
}

package enum ArchiveLibrary {
  /// libarchive's name and version, or `nil` if the library is not installed.
  package static var version: String? {
    carchive_load()?.pointee.archive_version_string().map { String(cString: $0) }
  }
}

/// A UTF-8 locale for the calling thread, for C libraries that convert by locale.
struct UTF8Locale {
  private let entered: locale_t?
  private let previous: locale_t?

  /// Has no effect if the system has no UTF-8 locale.
  init() {
    entered = newlocale(Self.characters, "C.UTF-8", nil) ?? newlocale(Self.characters, "en_US.UTF-8", nil)
    previous = entered.flatMap { uselocale($0) }
  }

  func leave() {
    guard let entered else { return }
    uselocale(previous)
    freelocale(entered)
  }

  #if canImport(Glibc)
    private static let characters: Int32 = 1 << LC_CTYPE
  #else
    private static let characters: Int32 = LC_CTYPE_MASK
  #endif
}
