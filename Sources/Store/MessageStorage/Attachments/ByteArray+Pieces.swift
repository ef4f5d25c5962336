internal import MessageModel

extension [UInt8] {
  /// Calls `body` with the bytes. The standard library's own does not keep the type of an error.
  func lend<Value>(
    _ body: (UnsafeRawBufferPointer) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    let result = withUnsafeBytes { bytes in
      Result<Value, StoreError> { () throws(StoreError) in try body(bytes) }
    }
    return try result.get()
  }
}
