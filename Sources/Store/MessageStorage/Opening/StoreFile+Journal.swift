internal import Foundation

extension StoreFile {
  /// Whether a transaction of one of our processes was cut off that has a rollback journal: only stores that are being made
  /// or replaced have one. That of a strange database is left alone.
  var hasUnfinishedJournal: Bool {
    guard isWritable, Self.byteCount(of: path + "-journal") > 0 else { return false }
    return header?.applicationID == Schema.applicationID || wasEmptyBefore
  }

  /// Whether the journal says that the file held nothing before
  /// (<https://sqlite.org/fileformat2.html#the_rollback_journal>): there is nothing of anybody in it.
  private var wasEmptyBefore: Bool {
    guard let descriptor = ContentFile.open(path + "-journal") else { return false }
    defer { close(descriptor) }
    let start = RandomRead.bytes(of: descriptor, at: 0, count: 20) ?? []
    return start.starts(with: [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
      && start.dropFirst(16).elementsEqual([0, 0, 0, 0])
  }
}
