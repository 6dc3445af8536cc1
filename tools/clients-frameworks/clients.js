export const clients = [];
