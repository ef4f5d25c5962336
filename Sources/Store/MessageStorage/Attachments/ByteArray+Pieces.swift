internal import MessageModel

extension [UInt8] {
  /// Unlike the standard library's method, keeps the error's type.
  func lend<Value>(
    _ body: (UnsafeRawBufferPointer) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    let result = withUnsafeBytes { bytes in
      Result<Value, StoreError> { () throws(StoreError) in try body(bytes) }
    }
    return try result.get()
  }
}
