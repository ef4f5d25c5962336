internal import GRDB
package import MessageModel

extension SynchronousMessageStore {
  /// Returns the identity of a store: a hash under the key that each store draws when it is created, which
  /// backups share and exports do not; `nil` for a store that has lost its key.
  ///
  /// Ids of conversations and messages mean the same in stores of one identity.
  package func storeIdentity() throws(StoreError) -> String? {
    try reading("cannot read '\(path)'", archived: { $0.identity }) { db in
      guard let key = try HashKey(db).key else { return nil }
      var hash = SipHash(key: key)
      for byte in "store".utf8 { hash.combine(byte) }
      return String(hash.finish(), radix: 16)
    }
  }
}
