/** The image of this very program. */
export const CAPSTAN_IMAGE = 'quay.io/capstan/capstan';
