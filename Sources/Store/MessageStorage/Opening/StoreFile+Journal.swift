internal import Foundation

extension StoreFile {
  /// Whether a process was ended during a transaction with a rollback journal. Only stores being made or
  /// replaced have one; journals of other databases are left alone.
  var hasUnfinishedJournal: Bool {
    guard isWritable, Self.byteCount(of: path + "-journal") > 0 else { return false }
    return header?.applicationID == Schema.applicationID || wasEmptyBefore
  }

  /// Whether the file was empty according to its journal
  /// (<https://sqlite.org/fileformat2.html#the_rollback_journal>), so that no data can be lost.
  private var wasEmptyBefore: Bool {
    guard let descriptor = ContentFile.open(path + "-journal") else { return false }
    defer { close(descriptor) }
    let start = RandomRead.bytes(of: descriptor, at: 0, count: 20) ?? []
    return start.starts(with: [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
      && start.dropFirst(16).elementsEqual([0, 0, 0, 0])
  }
}
