// The values that pictures share with the store (PictureFormat, PixelSize, PictureMaker) are in MessageModel.
