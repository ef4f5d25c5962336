internal import GRDB
package import MessageModel

extension SynchronousMessageStore {
  /// Returns what a store is told by from others: a hash under the key that each draws when it is made, which backups share
  /// and exports do not; `nil` for a store that has lost its key.
  ///
  /// Numbers of conversations and ids of messages mean the same where it is the same.
  package func storeIdentity() throws(StoreError) -> String? {
    if let archive { return archive.identity }
    return try reading("cannot read '\(path)'") { db in
      guard let key = try HashKey(db).key else { return nil }
      var hash = SipHash(key: key)
      for byte in "store".utf8 { hash.combine(byte) }
      return String(hash.finish(), radix: 16)
    }
  }
}
