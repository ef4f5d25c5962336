internal import Foundation
internal import MessageModel

/// Lists a folder name by name.
///
/// Nothing in it is opened through a link, even if one replaces a name meanwhile.
final class FolderListing {
  struct Facts {
    let byteCount: Int64
    let changedAt: Int64
  }

  private let descriptor: Int32
  #if canImport(Glibc)
    private let listing: OpaquePointer
  #else
    private let listing: UnsafeMutablePointer<DIR>
  #endif
  private(set) var trouble: String?

  /// Opens a folder, following a link; gives a reason if it exists but may not be read.
  static func opened(at path: String) -> (listing: FolderListing?, trouble: String?) {
    let descriptor = PathBytes.withBytes(of: path) { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    let trouble = descriptor < 0 && errno == EACCES ? String(cString: strerror(EACCES)) : nil
    return (FolderListing(descriptor), trouble)
  }

  private init?(_ descriptor: Int32) {
    guard descriptor >= 0 else { return nil }
    guard let listing = fdopendir(descriptor) else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    self.listing = listing
  }

  deinit { closedir(listing) }

  func next() -> String? {
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { PathBytes.text($0) }
      }
      if name != ".", name != ".." { return name }
    }
    return nil
  }

  func folder(_ name: String) -> FolderListing? {
    let inner = PathBytes.withBytes(of: name) {
      openat(descriptor, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }
    if inner < 0, errno == EACCES { trouble = trouble ?? "'\(name)': \(String(cString: strerror(errno)))" }
    return FolderListing(inner)
  }

  func facts(of name: String) -> Facts? {
    var facts = stat()
    guard PathBytes.withBytes(of: name, { fstatat(descriptor, $0, &facts, AT_SYMLINK_NOFOLLOW) }) == 0,
      facts.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return Facts(byteCount: Int64(facts.st_size), changedAt: FileFacts.changedAt(facts))
  }
}
